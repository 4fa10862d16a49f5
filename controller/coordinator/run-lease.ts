import type { Logger } from 'pino';
import { actAfter, actEvery, oneAtATime, realTime, type Time } from '#core/clock/time.ts';
import type { RunState } from '#core/protocol/api/run-summary.ts';
import type { Queryable } from '../database/queryable.ts';
import { LeaseLostError, leaseSeconds, renewLease, type OwnedRun } from '../runs/stored-runs.ts';

const renewEveryMs = 2_000;
const leaseMs = leaseSeconds * 1000;
/** The owner stops so long before the lease ends: time for its last orders, which cancel what is under way, to arrive. */
const stopBeforeEndMs = 2_000;
/** No order is sent in this last part of the lease. */
const silenceBeforeEndMs = 500;

interface LeaseOptions {
  pool: Queryable;
  run: OwnedRun;
  /** When the claim was sent, on the clock of `time`: the lease ends no earlier than ten seconds after that. */
  claimedMs: number;
  onState: (state: RunState) => void;
  /** Of this process unless given. */
  time?: Time;
  log: Logger;
}

/**
 * The lease of a Run, renewed until it is disposed of. An owner that cannot renew it gives it up before it ends, by the monotonic clock of its own
 * machine: without a word from the database it cannot know whether another Controller owns the Run by then.
 */
export class RunLease implements Disposable {
  readonly #options: LeaseOptions;
  readonly #loss = new AbortController();
  readonly #time: Time;
  readonly #end = new AbortController();
  #stopping = new AbortController();
  #heldSinceMs: number;
  #isTaken = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#time = options.time ?? realTime;
    this.#heldSinceMs = options.claimedMs;
    // Each question holds a connection of the pool until it is answered: a silent database would soon have them all.
    const renew = oneAtATime(() => this.#renew());
    actEvery(renewEveryMs, renew, { sleep: this.#time.sleep, signal: this.#end.signal });
    this.#planStop();
  }

  /** Aborted with a LeaseLostError when the lease is lost or about to end. */
  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  /** Asked before each order. The clock is read here too: after a process was halted its messages may be dealt with before its timers. */
  get mayOrder(): boolean {
    return !this.#isTaken && this.#time.clock() < this.#heldSinceMs + leaseMs - silenceBeforeEndMs;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#stopping.abort();
  }

  async #renew(): Promise<void> {
    const { pool, run, onState, log } = this.#options;
    const askedMs = this.#time.clock();
    try {
      const state = await renewLease(pool, run);
      this.#heldSinceMs = Math.max(this.#heldSinceMs, askedMs);
      if (!this.#end.signal.aborted) this.#planStop();
      onState(state);
    } catch (error) {
      if (error instanceof LeaseLostError) {
        this.#isTaken = true;
        this.#give(error);
      } else {
        log.warn({ err: error, run: run.id }, 'Cannot renew the lease of the Run; trying again');
      }
    }
  }

  #planStop(): void {
    const { run } = this.#options;
    this.#stopping.abort();
    this.#stopping = new AbortController();
    const endsInMs = this.#heldSinceMs + leaseMs - stopBeforeEndMs - this.#time.clock();
    const stop = () =>
      this.#give(
        new LeaseLostError(
          run.id,
          `Cannot renew the lease of Run ${run.id} within ${(leaseMs - stopBeforeEndMs) / 1000} s: the Run waits for a Controller that reaches the database`,
        ),
      );
    actAfter(endsInMs, stop, { sleep: this.#time.sleep, signal: this.#stopping.signal });
  }

  #give(error: LeaseLostError): void {
    this[Symbol.dispose]();
    this.#loss.abort(error);
  }
}
