import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { RunState } from '#core/protocol/api/run.ts';
import { LeaseLostError, leaseSeconds, renewLease, type OwnedRun } from '../db/runs/runs.ts';

const renewEveryMs = 2_000;
const leaseMs = leaseSeconds * 1000;
/** The owner stops so long before the lease ends: time for its last orders, which cancel what is under way, to arrive. */
const stopBeforeEndMs = 2_000;
/** No order is sent in this last part of the lease. */
const silenceBeforeEndMs = 500;

interface LeaseOptions {
  pool: Pool;
  run: OwnedRun;
  /** When the claim was sent, on the clock of `performance.now()`: the lease ends no earlier than ten seconds after that. */
  claimedMs: number;
  onState: (state: RunState) => void;
  log: Logger;
}

/**
 * The lease of a Run, renewed until it is disposed of. An owner that cannot renew it gives it up before it ends, by the monotonic clock of its own
 * machine: without a word from the database it cannot know whether another Controller owns the Run by then.
 */
export class RunLease implements Disposable {
  readonly #options: LeaseOptions;
  readonly #loss = new AbortController();
  readonly #renewing: NodeJS.Timeout;
  #stopping: NodeJS.Timeout | undefined;
  #heldSinceMs: number;
  #isTaken = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#heldSinceMs = options.claimedMs;
    this.#renewing = setInterval(() => void this.#renew(), renewEveryMs);
    this.#planStop();
  }

  /** Aborted with a LeaseLostError when the lease is lost or about to end. */
  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  /** Asked before each order. The clock is read here too: after a process was halted its messages may be dealt with before its timers. */
  get mayOrder(): boolean {
    return !this.#isTaken && performance.now() < this.#heldSinceMs + leaseMs - silenceBeforeEndMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#renewing);
    clearTimeout(this.#stopping);
  }

  async #renew(): Promise<void> {
    const { pool, run, onState, log } = this.#options;
    const askedMs = performance.now();
    try {
      const state = await renewLease(pool, run);
      this.#heldSinceMs = Math.max(this.#heldSinceMs, askedMs);
      if (!this.#loss.signal.aborted) this.#planStop();
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
    clearTimeout(this.#stopping);
    const endsInMs = this.#heldSinceMs + leaseMs - stopBeforeEndMs - performance.now();
    const stop = () =>
      this.#give(
        new LeaseLostError(
          run.id,
          `Cannot renew the lease of Run ${run.id} within ${(leaseMs - stopBeforeEndMs) / 1000} s: the Run waits for a Controller that reaches the database`,
        ),
      );
    this.#stopping = setTimeout(stop, endsInMs);
  }

  #give(error: LeaseLostError): void {
    this[Symbol.dispose]();
    this.#loss.abort(error);
  }
}
