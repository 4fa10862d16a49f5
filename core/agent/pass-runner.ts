import { listErrors } from '../app-error.ts';
import type { ClockOffset } from '../clock/clock-offset.ts';
import type { ControllerClock } from '../clock/controller-clock.ts';
import { asOfSystemClock, describeClockStep, epochClock } from '../clock/epoch-clock.ts';
import { actAfter, realTime, sleep, type Time } from '../clock/time.ts';
import { formatPath } from '../input/describe-issues.ts';
import { findReplayMisses } from '../metrics/replay-misses.ts';
import type { ReplayedPage, Snapshot, VisitRemark } from '../metrics/snapshot.ts';
import { describeProblem, type AgentMessage } from '../protocol/agent-messages.ts';
import type { HostLoad } from '../protocol/host-load.ts';
import type { PassOrder } from '../protocol/pass-order.ts';
import { unlessAborted } from '../waiting.ts';
import { VisitOutcomeSchema, summarizeOutcome, type Visit, type VisitOutcome } from '../protocol/visit.ts';
import { HostDelayWatch, type HostDelayParts } from './host-delay-watch.ts';
import { nameUrls } from './page-activity/describe-activity.ts';

const timerSlackMs = 20;
/** Of why an outcome cannot be stored. */
const mostDetail = 4096;
const mostIssues = 10;
/** A Controller that is away for so long has given the Round up: it waits half as long for the line of an Agent. */
const lineGraceMs = 60_000;
const abandoned = `The line to the Controller was broken for ${lineGraceMs / 1000} s`;

export type PassState = 'preparing' | 'ready' | 'running' | 'ended' | 'lost';

/** What a step of a Pass makes known. `startEpochMs`: on the Controller's clock. */
export interface PassStep {
  state: PassState;
  clock?: ClockOffset;
  startEpochMs?: number;
}

/** What differs between those that make Passes. */
export interface PassMaker {
  clock: ControllerClock;
  send: (message: AgentMessage) => void;
  /** Opens the browser, calls `becomeReady` and `awaitStart`, visits each URL, and closes all. Resolves with how busy the host was; rejects where the Pass is lost. */
  make: (pass: PassRunner) => Promise<HostLoad>;
  /** Keeps each step before it is reported, where a Pass outlives its process. */
  keep?: (step: PassStep) => Promise<void>;
  /** The offset that Visits are dated by; that of the clock, unless set. */
  readOffset?: () => ClockOffset;
  /** Resolves as soon as other work has had its turn. */
  takeTurns: (signal: AbortSignal) => Promise<void>;
  logLoss: (error: unknown) => void;
  sleep?: Time['sleep'] | undefined;
}

/** Of a Visit whose page was loaded, on the clock of this process. */
export interface MadeVisit {
  visit: Visit;
  navigatedEpochMs: number;
  offset: ClockOffset;
}

/** One Pass, from the order to its end: ready, start at the given instant, its URLs in sequence, ended or lost. */
export class PassRunner {
  readonly order: PassOrder;
  state: PassState;
  /** How busy this host was over the Pass; null before its end. */
  load: HostLoad | null = null;
  readonly #maker: PassMaker;
  readonly #cancellation = new AbortController();
  #isStarted = false;
  readonly #start = Promise.withResolvers<number>();
  #waiting: { sequence: number; start: PromiseWithResolvers<number> } | null = null;
  #lineBack: AbortController | null = null;
  #isAbandoned = false;

  constructor(order: PassOrder, maker: PassMaker, state: PassState = 'preparing') {
    this.order = order;
    this.#maker = maker;
    this.state = state;
    // Rejected by a cancellation that may come while nobody waits for the start.
    this.#start.promise.catch(() => undefined);
  }

  /** Aborted when the Pass is cancelled. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  /** Whether it loads pages, or is about to. */
  get isLoading(): boolean {
    return this.#isStarted && !this.isOver;
  }

  /** In step with others: the Visit that waits for its start; null while none does. */
  get readyFor(): number | null {
    return this.#waiting?.sequence ?? null;
  }

  get isOver(): boolean {
    return this.state === 'ended' || this.state === 'lost';
  }

  /** Resolves when the Pass is over, however it ended; what went wrong is reported to the Controller. */
  async run(): Promise<void> {
    const { send, make, logLoss } = this.#maker;
    const { passId, userAgent } = this.order;
    try {
      this.signal.throwIfAborted();
      this.load = await make(this);
      // Reported after the browser is gone, so that its end does not fall into the next Round.
      await this.#enter({ state: 'ended' });
    } catch (error) {
      this.state = 'lost';
      if (this.signal.aborted && !this.#isAbandoned) return;
      for (const each of listErrors(error)) logLoss(each);
      // What cannot be kept, as on a full disk, is reported all the same: else nobody knows that nothing more comes.
      await this.#enter({ state: 'lost' }).catch(logLoss);
      send({ type: 'pass-lost', passId, problem: describeProblem(error, `${userAgent}: `) });
      return;
    } finally {
      this.handleConnect(); // it waits for nothing any more
    }
    send({ type: 'pass-ended', passId, load: this.load });
  }

  startAt(controllerEpochMs: number): void {
    this.#isStarted = true;
    this.#start.resolve(controllerEpochMs);
  }

  /** A start that came before, or of another Visit, changes nothing. */
  startVisitAt({ sequence, startEpochMs }: { sequence: number; startEpochMs: number }): void {
    if (this.#waiting?.sequence === sequence) this.#waiting.start.resolve(startEpochMs);
  }

  handleConnect(): void {
    this.#lineBack?.abort();
    this.#lineBack = null;
    this.#isAbandoned = false;
  }
  /** A Pass that waits for an order ends when the line stays down. One that loads pages continues. */
  handleDisconnect(): void {
    if (this.isOver || this.#lineBack) return;
    this.#lineBack = new AbortController();
    const abandon = () => {
      this.#isAbandoned = true;
      if (!this.#isStarted || this.#waiting) this.cancel(abandoned);
    };
    actAfter(lineGraceMs, abandon, { sleep: this.#maker.sleep ?? sleep, signal: this.#lineBack.signal });
  }

  cancel(reason: string): void {
    const error = new Error(reason);
    this.#start.reject(error);
    this.#cancellation.abort(error);
  }

  /** Reads the clock, and reports that the first page can be loaded. */
  async becomeReady(): Promise<void> {
    const { clock, send } = this.#maker;
    const offset = await clock.improve(this.signal);
    send({ type: 'clock-read', ...asOfSystemClock(offset) });
    await this.#enter({ state: 'ready', clock: offset });
    send({ type: 'pass-ready', passId: this.order.passId });
  }

  /** Resolves at the start of the Pass. `onKnown` is called when the start is known, which is before. */
  async awaitStart(onKnown?: () => void): Promise<void> {
    const startEpochMs = await this.#start.promise;
    await this.#enter({ state: 'running', startEpochMs });
    onKnown?.();
    await this.#awaitInstant(startEpochMs);
  }

  /** In step with others: reports that the Visit can begin, and resolves when all begin theirs. At once for the first, which begins with the Pass, and where each User Agent goes by itself. */
  async awaitVisit(sequence: number): Promise<void> {
    const { passId, isInStep = false } = this.order;
    if (!isInStep || sequence === 0) return;
    const start = Promise.withResolvers<number>();
    this.#waiting = { sequence, start };
    if (this.#isAbandoned) this.cancel(abandoned);
    try {
      this.#maker.send({ type: 'visit-ready', passId, sequence });
      await this.#awaitInstant(await unlessAborted(start.promise, this.signal));
    } finally {
      this.#waiting = null;
    }
  }

  /**
   * Loads the page at this place of the order. `leadMs`: of the clock that Snapshots have before that of this process. `load` calls `onNavigate` with the time
   * just before the order to the browser. Throws where the system clock was set since `leadMs` was read: browsers date some events by it, and others by clocks of their own.
   */
  async visit(
    { sequence, leadMs, waits }: { sequence: number; leadMs: number; waits?: HostDelayParts['waits'] },
    load: (onNavigate: (epochMs: number) => void) => Promise<VisitOutcome>,
  ): Promise<MadeVisit> {
    const { passId, visits } = this.order;
    const { url, repetition, replay } = visits[sequence]!;
    const offset = this.#readOffset();
    let navigatedEpochMs = epochClock();
    using watch = new HostDelayWatch({
      epochClock: () => epochClock() + leadMs,
      sleep: realTime.sleep,
      ...(waits && { waits }),
    });
    const loaded = await load((epochMs) => {
      navigatedEpochMs = epochMs;
      watch.begin();
      if (sequence > 0) return;
      this.#maker.send({ type: 'pass-started', passId, startedEpochMs: epochMs + offset.offsetMs });
    });
    const outcome = asStorable(replay ? noteReplay(loaded, replay) : loaded);
    const step = describeClockStep(leadMs);
    if (step !== null) throw new Error(step);
    const visit: Visit = {
      id: crypto.randomUUID(),
      passId,
      sequence,
      url,
      repetition,
      startedEpochMs: navigatedEpochMs + offset.offsetMs,
      clockOffsetMs: offset.offsetMs - leadMs,
      clockErrorMs: offset.errorMs,
      hostDelayMs: watch.delayOf(outcome),
      outcome,
    };
    return { visit, navigatedEpochMs, offset };
  }

  /** Once the Visit is kept. */
  reportVisit({ passId, sequence, url, outcome }: Visit): void {
    this.#maker.send({ type: 'visit-ended', passId, sequence, url, ...summarizeOutcome(outcome) });
  }

  /** `epochMs`: on the Controller's clock. */
  async #awaitInstant(epochMs: number): Promise<void> {
    const takeTurns = () => this.#maker.takeTurns(this.signal);
    await startAt(epochMs - this.#readOffset().offsetMs, { epochClock, sleep, takeTurns, signal: this.signal });
  }

  #readOffset(): ClockOffset {
    const { clock, readOffset } = this.#maker;
    return readOffset?.() ?? clock.offset;
  }

  async #enter(step: PassStep): Promise<void> {
    this.state = step.state;
    await this.#maker.keep?.(step);
  }
}

interface StartClock {
  epochClock: () => number;
  /** Rejects with the signal's reason when aborted. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Resolves as soon as other work has had its turn. */
  takeTurns: () => Promise<void>;
  signal: AbortSignal;
}

/** Resolves at the instant, on this clock, or at once when it is past. Rejects when aborted. The last 20 ms are polled, as timers are coarse. */
export async function startAt(epochMs: number, { epochClock, sleep, takeTurns, signal }: StartClock): Promise<void> {
  await sleep(Math.max(0, epochMs - epochClock() - timerSlackMs), signal);
  while (epochClock() < epochMs) await takeTurns();
}

/**
 * The outcome itself where a Visit can hold it. What a page does is the page's own choice: of frames, requests and names it can have more than a
 * Snapshot takes. Such a Visit has failed, as any other whose page could not be measured.
 */
export function asStorable(outcome: VisitOutcome): VisitOutcome {
  const { error } = VisitOutcomeSchema.safeParse(outcome);
  if (!error) return outcome;
  const issues = error.issues.slice(0, mostIssues).map(({ path, message }) => `${formatPath(path)}: ${message}`);
  return {
    status: 'failed',
    code: 'engine-error',
    detail: `The page exceeds the limits of a Snapshot: ${issues.join('; ')}`.slice(0, mostDetail),
    snapshot: null,
  };
}

/** The outcome of a replayed page: its Snapshot says that it was, and remarks too many misses. */
export function noteReplay(outcome: VisitOutcome, replay: ReplayedPage): VisitOutcome {
  if (outcome.status === 'ok') return { ...outcome, snapshot: noteInSnapshot(outcome.snapshot, replay) };
  return { ...outcome, snapshot: outcome.snapshot && noteInSnapshot(outcome.snapshot, replay) };
}

function noteInSnapshot(snapshot: Snapshot, replay: ReplayedPage): Snapshot {
  const remarks = [...(snapshot.remarks ?? []), ...remarkMisses(snapshot)];
  return { ...snapshot, replay, ...(remarks.length > 0 && { remarks }) };
}

function remarkMisses(snapshot: Snapshot): VisitRemark[] {
  const { misses, sent, areTooMany } = findReplayMisses(snapshot);
  if (!areTooMany) return [];
  const urls = misses.map(({ url }) => url);
  return [
    {
      code: 'replay-misses',
      detail: `The recording has nothing like ${misses.length} of ${sent} requests. They were answered by 404: ${nameUrls(urls)}`,
    },
  ];
}
