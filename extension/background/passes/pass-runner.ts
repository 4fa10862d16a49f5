import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import { summarizeOutcome } from '#core/protocol/summarize-outcome.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { epochClock } from '../epoch-clock.ts';
import type { ControllerClock } from '../link/controller-clock.ts';
import type { Spool } from '../spool/spool.ts';
import { openStage, type Stage } from '../stage/open-stage.ts';
import { sleep, unlessAborted } from '../visit/unless-aborted.ts';
import { failedOutcome, VisitFailure } from '../visit/visit-failure.ts';
import { visitPage } from '../visit/visit-page.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { HeldPass } from './held-pass.ts';
import { startAt } from './start-at.ts';

/** A page that ends the browser each time it is loaded must not hold up its Pass for ever. */
const maximumAttempts = 3;

export interface PassSurroundings {
  spool: Spool;
  clock: ControllerClock;
  send: (message: AgentMessage) => void;
  /** Of this life of the browser. */
  browserLifeId: string;
  /** Called whenever there is something new to show. `outcome`: of the Visit that just ended. */
  onProgress: (pass: HeldPass, progress: { url: string | null; outcome?: VisitOutcome }) => void;
}

/** One Pass, from the order, or from where it was when the background died, to its end. */
export class PassRunner {
  pass: HeldPass;
  readonly #surroundings: PassSurroundings;
  readonly #cancellation = new AbortController();
  readonly #start = Promise.withResolvers<number>();

  constructor(pass: HeldPass, surroundings: PassSurroundings) {
    this.pass = pass;
    this.#surroundings = surroundings;
    if (pass.startEpochMs !== null) this.#start.resolve(pass.startEpochMs);
    // Rejected by a cancellation that may come while nobody waits for the start.
    this.#start.promise.catch(() => undefined);
  }

  get isOver(): boolean {
    return this.pass.state === 'ended' || this.pass.state === 'lost';
  }

  /** Resolves when the Pass is over, however it ended; what went wrong is told to the Controller. */
  async run(): Promise<void> {
    const { send } = this.#surroundings;
    const { passId, userAgent } = this.pass.order;
    try {
      await this.#explainLoss();
      if (this.pass.state !== 'running') await this.#prepare();
      await this.#visitAll();
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
    send({ type: 'pass-ended', passId });
  }

  startAt(controllerEpochMs: number): void {
    this.#start.resolve(controllerEpochMs);
  }

  cancel(reason: string): void {
    const error = new Error(reason);
    this.#start.reject(error);
    this.#cancellation.abort(error);
  }

  /** Throws where the Pass can never be made, or not go on. */
  async #explainLoss(): Promise<void> {
    const refusal = await explainRefusal(this.pass.order);
    if (refusal !== null) throw new Error(refusal);
    if (this.pass.order.pageLoad.cache === 'warm' && this.pass.browserLifeId !== this.#surroundings.browserLifeId) {
      throw new Error('the browser was restarted in a warm Pass, whose connections are gone');
    }
  }

  async #prepare(): Promise<void> {
    const { clock, send } = this.#surroundings;
    const { signal } = this.#cancellation;
    // The first window of a browser is slower than all others.
    await (await openStage(this.pass.order.pageLoad))[Symbol.asyncDispose]();
    const offset = await unlessAborted(clock.read(), signal);
    send({ type: 'clock-read', ...offset });
    await this.#keep({ state: 'ready', clock: offset });
    send({ type: 'pass-ready', passId: this.pass.order.passId });
  }

  async #visitAll(): Promise<void> {
    const { visits, pageLoad } = this.pass.order;
    const { signal } = this.#cancellation;
    while (this.pass.sequence < visits.length) {
      await using stage = await openStage(pageLoad);
      await sleep(pageLoad.restMs, signal);
      if (this.pass.state !== 'running') await this.#awaitStart();
      await this.#visit(stage);
    }
  }

  async #awaitStart(): Promise<void> {
    const { signal } = this.#cancellation;
    const startEpochMs = await this.#start.promise;
    await this.#keep({ state: 'running', startEpochMs });
    await startAt(startEpochMs - this.pass.clock!.offsetMs, signal);
  }

  async #visit(stage: Stage): Promise<void> {
    const { spool, send, onProgress } = this.#surroundings;
    const { order, sequence, clock } = this.pass;
    const { passId, pageLoad } = order;
    const { url, repetition } = order.visits[sequence]!;
    const { offsetMs, errorMs } = clock!;
    const { signal } = this.#cancellation;
    await this.#keep({ attempts: this.pass.attempts + 1 });
    onProgress(this.pass, { url });

    let navigatedEpochMs = epochClock();
    const onNavigate = (epochMs: number) => {
      navigatedEpochMs = epochMs;
      if (sequence === 0) send({ type: 'pass-started', passId, startedEpochMs: epochMs + offsetMs });
    };
    const outcome =
      this.pass.attempts > maximumAttempts
        ? failedOutcome(new VisitFailure('browser-crashed', `The browser or the extension ended ${maximumAttempts} times while it loaded this page`))
        : await visitPage({ url, stage, pageLoad, signal, onNavigate });
    const visit = { id: crypto.randomUUID(), passId, sequence, url, repetition, startedEpochMs: navigatedEpochMs + offsetMs, clockOffsetMs: offsetMs, clockErrorMs: errorMs, outcome };
    this.pass = { ...this.pass, sequence: sequence + 1, attempts: 0 };
    await spool.addVisit(visit, this.pass);
    send({ type: 'visit-ended', passId, sequence, url, ...summarizeOutcome(outcome) });
    onProgress(this.pass, { url: null, outcome });
  }

  async #keep(change: Partial<HeldPass>): Promise<void> {
    const { spool, browserLifeId } = this.#surroundings;
    this.pass = { ...this.pass, ...change, browserLifeId };
    await spool.writePass(this.pass);
  }
}
