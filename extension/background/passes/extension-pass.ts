import { PassRunner, type PassMaker } from '#core/agent/pass-runner.ts';
import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { VisitRest } from '#core/metrics/visit-rest.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { readCoarseLead } from '#core/clock/epoch-clock.ts';
import { sleep } from '#core/clock/time.ts';
import type { Spool } from '../spool.ts';
import { openSetStage } from '../settings/open-set-stage.ts';
import { explainSmallScreen } from '../stage/fit-viewport.ts';
import { type Stage, openPassProfile, type PassProfile } from '../stage/open-stage.ts';
import { visitInStage } from '../visit/visit-in-stage.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { HeldPass } from './held-pass.ts';

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

/** One Pass of the extension, from the order, or from where it was when the background died, to its end. */
export class ExtensionPass {
  held: HeldPass;
  readonly runner: PassRunner;
  readonly #surroundings: PassSurroundings;
  readonly #rest: VisitRest;
  #profile: PassProfile | null = null;

  constructor(held: HeldPass, surroundings: PassSurroundings) {
    this.held = held;
    this.#surroundings = surroundings;
    this.#rest = new VisitRest(held.order.pageLoad);
    const { clock, send } = surroundings;
    const maker: PassMaker = {
      clock,
      send,
      make: (pass) => this.#make(pass),
      keep: (step) => this.#keep(step),
      // After the background died nothing newer is known than what the Pass began with.
      readOffset: () => clock.known ?? this.held.clock!,
      takeTurns: (signal) => sleep(0, signal),
      logLoss: (error) => console.error('The Pass was lost', error),
    };
    this.runner = new PassRunner(held.order, maker, held.state);
    if (held.startEpochMs !== null) this.runner.startAt(held.startEpochMs);
  }

  async #make(pass: PassRunner): Promise<HostLoad> {
    const { order } = pass;
    await this.#explainLoss();
    // One that continues may be of a Round that is long over: nothing is opened before its Controller can say so.
    await this.#surroundings.clock.improve(pass.signal);
    // Before the profile of the Pass: its incognito window would be taken for one of the person's, and the cache be cleared.
    if (pass.state !== 'running') await this.#surroundings.warmUp(order.pageLoad);
    await using profile = await openPassProfile(order.pageLoad);
    this.#profile = profile;
    let next = pass.state === 'running' ? null : await this.#prepare(pass);
    while (this.held.sequence < order.visits.length) {
      await using stage = next ?? (await this.#openRestedStage());
      next = null;
      if (pass.state !== 'running') await pass.awaitStart();
      else await pass.awaitVisit(this.held.sequence);
      await this.#visit(pass, stage);
    }
    return unknownLoad;
  }

  /** Throws where the Pass can never be made, or cannot continue. */
  async #explainLoss(): Promise<void> {
    const { order, browserLifeId, sequence } = this.held;
    const refusal = await explainRefusal(order);
    if (refusal !== null) throw new Error(refusal);
    if (order.pageLoad.cache === 'warm' && browserLifeId !== this.#surroundings.browserLifeId) {
      throw new Error('the browser was restarted in a warm Pass, whose connections are gone');
    }
    if (order.pageLoad.cache === 'per-pass' && sequence > 0) {
      throw new Error('the extension was restarted in a Pass that keeps its cache, which is gone');
    }
  }

  /** The window of the first Visit, open and rested. */
  async #prepare(pass: PassRunner): Promise<Stage> {
    const { browser, pageLoad } = pass.order;
    const stage = await this.#openRestedStage();
    try {
      const problem = await explainSmallScreen(stage, browser.viewport ?? pageLoad.viewport);
      if (problem !== null) throw new Error(problem);
      await pass.becomeReady();
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #openRestedStage(): Promise<Stage> {
    const { sequence, order } = this.held;
    const kept = this.#profile && { profile: this.#profile, isFirst: sequence === 0 };
    const { pageLoad, browser } = order;
    const { restMs, replay } = order.visits[sequence]!;
    const { onChanges } = this.#surroundings;
    const stage = await openSetStage({ pageLoad, browser, replay, kept, onChanges });
    try {
      await sleep(this.#rest.before(restMs), this.runner.signal);
      return stage;
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #visit(pass: PassRunner, stage: Stage): Promise<void> {
    const { spool, onProgress } = this.#surroundings;
    const { sequence } = this.held;
    const { pageLoad, visits } = pass.order;
    const { url, untilMark, replay } = visits[sequence]!;
    await this.#keep({ attempts: this.held.attempts + 1 });
    onProgress(this.held, { url });
    const leadMs = readSystemClockLead();
    const { visit } = await pass.visit({ sequence, leadMs }, async (onNavigate) =>
      this.held.attempts > maximumAttempts
        ? failedOutcome(
            new VisitFailure(
              'browser-crashed',
              `The browser or the extension ended ${maximumAttempts} times while it loaded this page`,
            ),
          )
        : visitInStage({ url, untilMark, replay, stage, pageLoad, signal: pass.signal, leadMs, onNavigate }),
    );
    this.#rest.note(visit.outcome.snapshot);
    this.held = { ...this.held, sequence: sequence + 1, attempts: 0 };
    await spool.addVisit(visit, this.held);
    pass.reportVisit(visit);
    onProgress(this.held, { url: null, outcome: visit.outcome });
  }

  async #keep(change: Partial<HeldPass>): Promise<void> {
    const { spool, browserLifeId } = this.#surroundings;
    this.held = { ...this.held, ...change, browserLifeId };
    await spool.writePass(this.held);
  }
}

/** Finer than this the system clock is not read, as it has whole milliseconds: less is taken for none. */
const coarseMs = 2;

/** By how much the system clock, which new pages date their events by, is ahead of this background's: by hours after the host was asleep. */
function readSystemClockLead(): number {
  const leadMs = readCoarseLead();
  return Math.abs(leadMs) < coarseMs ? 0 : leadMs;
}
