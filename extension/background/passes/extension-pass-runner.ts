import { HostDelayWatch } from '#core/agent/host-delay-watch.ts';
import { startAt } from '#core/agent/start-at.ts';
import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import type { ClockOffset } from '#core/clock/clock-offset.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { VisitRest } from '#core/metrics/visit-rest.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import { asStorable } from '#core/protocol/as-storable.ts';
import { summarizeOutcome } from '#core/protocol/summarize-outcome.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { realTime, sleep } from '#core/clock/time.ts';
import type { Spool } from '../spool/spool.ts';
import { openSetStage } from '../settings/open-set-stage.ts';
import { explainSmallScreen } from '../stage/fit-viewport.ts';
import { type Stage, openPassProfile, type PassProfile } from '../stage/open-stage.ts';
import { visitInStage } from '../visit/visit-in-stage.ts';
import type { HeldPass } from './held-pass.ts';
import { listSettingsInBrowserOfPerson } from '#core/evaluation/browser/engine-settings.ts';
import { explainUnsupportedSettings } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { mayAccessPages } from '../../agent-state/page-access.ts';
import { mayUseProxies } from '../../agent-state/proxy-permit.ts';

export const unknownLoad: HostLoad = { kind: 'absent', reason: 'A browser extension cannot see how busy its host is' };

/** A page that ends the browser each time it is loaded must not hold up its Pass without end. */
const maximumAttempts = 3;

export interface PassSurroundings {
  spool: Spool;
  clock: ControllerClock;
  send: (message: AgentMessage) => void;
  /** Makes the next window like all others: the first of a browser is slower. */
  warmUp: (pageLoad: PageLoad) => Promise<void>;
  /** Of this life of the browser. */
  browserLifeId: string;
  /** Called with what of the browser is other than the person has it; with nothing once all is undone. */
  onChanges: (changes: string[]) => void;
  /** Called whenever there is something new to show. `outcome`: of the Visit that just ended. */
  onProgress: (pass: HeldPass, progress: { url: string | null; outcome?: VisitOutcome }) => void;
}

/** One Pass, from the order, or from where it was when the background died, to its end. */
export class PassRunner {
  pass: HeldPass;
  readonly #surroundings: PassSurroundings;
  readonly #rest: VisitRest;
  readonly #cancellation = new AbortController();
  #profile: PassProfile | null = null;
  #isStarted = false;
  readonly #start = Promise.withResolvers<number>();

  constructor(pass: HeldPass, surroundings: PassSurroundings) {
    this.pass = pass;
    this.#surroundings = surroundings;
    this.#rest = new VisitRest(pass.order.pageLoad);
    if (pass.startEpochMs !== null) this.startAt(pass.startEpochMs);
    // Rejected by a cancellation that may come while nobody waits for the start.
    this.#start.promise.catch(() => undefined);
  }

  /** Whether it loads pages, or is about to. */
  get isLoading(): boolean {
    return this.#isStarted && !this.isOver;
  }

  get isOver(): boolean {
    return this.pass.state === 'ended' || this.pass.state === 'lost';
  }

  /** Resolves when the Pass is over, however it ended; errors are reported to the Controller. */
  async run(): Promise<void> {
    const { send } = this.#surroundings;
    const { passId, userAgent } = this.pass.order;
    try {
      await this.#explainLoss();
      await using profile = await openPassProfile(this.pass.order.pageLoad);
      this.#profile = profile;
      await this.#visitAll(this.pass.state === 'running' ? null : await this.#prepare());
    } catch (error) {
      if (this.#cancellation.signal.aborted) {
        this.pass = { ...this.pass, state: 'lost' };
        return;
      }
      console.error('The Pass was lost', error);
      await this.#keep({ state: 'lost' });
      send({ type: 'pass-lost', passId, problem: `${userAgent}: ${(error as Error).message}` });
      return;
    }
    await this.#keep({ state: 'ended' });
    send({ type: 'pass-ended', passId, load: unknownLoad });
  }

  startAt(controllerEpochMs: number): void {
    this.#isStarted = true;
    this.#start.resolve(controllerEpochMs);
  }

  cancel(reason: string): void {
    const error = new Error(reason);
    this.#start.reject(error);
    this.#cancellation.abort(error);
  }

  /** Throws where the Pass can never be made, or cannot continue. */
  async #explainLoss(): Promise<void> {
    const refusal = await explainRefusal(this.pass.order);
    if (refusal !== null) throw new Error(refusal);
    if (this.pass.order.pageLoad.cache === 'warm' && this.pass.browserLifeId !== this.#surroundings.browserLifeId) {
      throw new Error('the browser was restarted in a warm Pass, whose connections are gone');
    }
    if (this.pass.order.pageLoad.cache === 'per-pass' && this.pass.sequence > 0) {
      throw new Error('the extension was restarted in a Pass that keeps its cache, which is gone');
    }
  }

  /** The first Visit's window is open and rested, and the clock read, when it says that it is ready. */
  async #prepare(): Promise<Stage> {
    const { clock, send, warmUp } = this.#surroundings;
    const { signal } = this.#cancellation;
    await warmUp(this.pass.order.pageLoad);
    const stage = await this.#openRestedStage();
    try {
      const { browser, pageLoad } = this.pass.order;
      const problem = await explainSmallScreen(stage, browser.viewport ?? pageLoad.viewport);
      if (problem !== null) throw new Error(problem);
      const offset = await clock.improve(signal);
      send({ type: 'clock-read', ...offset });
      await this.#keep({ state: 'ready', clock: offset });
      send({ type: 'pass-ready', passId: this.pass.order.passId });
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** `prepared`: the window for the first Visit; null: there is none yet. */
  async #visitAll(prepared: Stage | null): Promise<void> {
    let next = prepared;
    while (this.pass.sequence < this.pass.order.visits.length) {
      await using stage = next ?? (await this.#openRestedStage());
      next = null;
      if (this.pass.state !== 'running') await this.#awaitStart();
      await this.#visit(stage);
    }
  }

  async #openRestedStage(): Promise<Stage> {
    const { sequence, order } = this.pass;
    const kept = this.#profile && { profile: this.#profile, isFirst: sequence === 0 };
    const { pageLoad, browser } = order;
    const stage = await openSetStage({ pageLoad, browser, kept, onChanges: this.#surroundings.onChanges });
    try {
      await sleep(this.#rest.before(order.visits[sequence]!.restMs), this.#cancellation.signal);
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #awaitStart(): Promise<void> {
    const { signal } = this.#cancellation;
    const startEpochMs = await this.#start.promise;
    await this.#keep({ state: 'running', startEpochMs });
    await startAt(startEpochMs - this.#offset.offsetMs, {
      epochClock,
      sleep,
      takeTurns: () => sleep(0, signal),
      signal,
    });
  }

  async #visit(stage: Stage): Promise<void> {
    const { spool, send, onProgress } = this.#surroundings;
    const { order, sequence } = this.pass;
    const { passId, pageLoad } = order;
    const { url, repetition, untilMark } = order.visits[sequence]!;
    const { offsetMs, errorMs } = this.#offset;
    const { signal } = this.#cancellation;
    await this.#keep({ attempts: this.pass.attempts + 1 });
    onProgress(this.pass, { url });

    let navigatedEpochMs = epochClock();
    const leadMs = readSystemClockLead();
    using watch = new HostDelayWatch({ epochClock: () => epochClock() + leadMs, sleep: realTime.sleep });
    const onNavigate = (epochMs: number) => {
      navigatedEpochMs = epochMs;
      watch.begin();
      if (sequence === 0) send({ type: 'pass-started', passId, startedEpochMs: epochMs + offsetMs });
    };
    const outcome =
      this.pass.attempts > maximumAttempts
        ? failedOutcome(
            new VisitFailure(
              'browser-crashed',
              `The browser or the extension ended ${maximumAttempts} times while it loaded this page`,
            ),
          )
        : asStorable(await visitInStage({ url, untilMark, stage, pageLoad, signal, leadMs, onNavigate }));
    this.#rest.note(outcome.snapshot);
    const visit = {
      id: crypto.randomUUID(),
      passId,
      sequence,
      url,
      repetition,
      startedEpochMs: navigatedEpochMs + offsetMs,
      clockOffsetMs: offsetMs - leadMs,
      clockErrorMs: errorMs,
      hostDelayMs: watch.delayOf(outcome),
      outcome,
    };
    this.pass = { ...this.pass, sequence: sequence + 1, attempts: 0 };
    await spool.addVisit(visit, this.pass);
    send({ type: 'visit-ended', passId, sequence, url, ...summarizeOutcome(outcome) });
    onProgress(this.pass, { url: null, outcome });
  }

  /** After the background died nothing newer is known than what the Pass began with. */
  get #offset(): ClockOffset {
    return this.#surroundings.clock.known ?? this.pass.clock!;
  }

  async #keep(change: Partial<HeldPass>): Promise<void> {
    const { spool, browserLifeId } = this.#surroundings;
    this.pass = { ...this.pass, ...change, browserLifeId };
    await spool.writePass(this.pass);
  }
}

/** Finer than this the system clock is not read, as it has whole milliseconds: less is taken for none. */
const coarseMs = 2;

/** By how much the system clock, which new pages date their events by, is ahead of this background's: by hours after the host was asleep. */
function readSystemClockLead(): number {
  const leadMs = Date.now() - epochClock();
  return Math.abs(leadMs) < coarseMs ? 0 : leadMs;
}

/** Why this extension cannot make such a Pass, and what to do; null when it can. */
async function explainRefusal({
  engine,
  userAgent,
  browser,
  osUser,
  sourceAddress,
  interface: networkInterface,
  visits,
}: PassOrder): Promise<string | null> {
  if (engine !== 'extension')
    return `this Agent is a browser extension: give the User Agent "engine: extension", not "${engine}"`;
  if (osUser !== undefined || sourceAddress !== undefined || networkInterface !== undefined) {
    return 'a browser extension runs as the user of its browser: remove "osUser", "sourceAddress" and "interface", or use an Agent that starts the browser';
  }
  if (visits.some(({ leg }) => leg !== undefined))
    return 'a browser extension makes no journeys: choose chrome or firefox';
  if (!(await mayAccessPages()))
    return 'the extension has no access to web pages yet: press "Allow access to web pages" in its options';
  const settings = listSettingsInBrowserOfPerson({ mayUseProxies: await mayUseProxies() });
  const [unsupported] = explainUnsupportedSettings(
    // Meant for the User Agents that have them: the others do not miss them.
    { ...browser, flags: [], prefs: {} },
    [{ name: userAgent, engine, settings }],
  );
  return unsupported ? `${unsupported.setting} ${unsupported.message}` : null;
}
