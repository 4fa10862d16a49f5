import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { describeClockStep, readCoarseLead } from '#core/clock/epoch-clock.ts';
import { actAfter, actEvery, oneAtATime, realTime, type Time } from '#core/clock/time.ts';
import { unlessAborted } from '#core/waiting.ts';
import type { StoreWatch } from '../captures/artefacts/bucket/store-watch.ts';
import type { DiskSpace } from '../captures/artefacts/disk-space.ts';
import { retryTransient } from '../database/is-transient.ts';
import { endRun, LeaseLostError, leaseSeconds, type OwnedRun, releaseLease, renewLease } from '../runs/stored-runs.ts';
import type { SiteReader } from '../sites/site-reader.ts';
import type { Exchange } from '../agents/exchange/open-exchange.ts';
import type { UploadEvents } from '../ingest/accept-uploads.ts';
import type { PrometheusMetrics } from '../operating/prometheus-metrics.ts';
import { executeRun } from './execute-run.ts';
import type { LiveProgress } from './live-progress.ts';
import { openOrderLine } from './order-line.ts';
import { AppError } from '#core/app-error.ts';
import type { Logger } from 'pino';
import type { RunState } from '#core/protocol/api/run-summary.ts';
import type { Queryable } from '../database/queryable.ts';

const lookAtDiskEveryMs = 2_000;
/** How long the clean-up of a Round may still write while the Controller shuts down. */
const shutdownLimitMs = 20_000;

interface OwnRunContext {
  pool: Pool;
  disk: DiskSpace;
  siteReader: SiteReader;
  storeWatch: Pick<StoreWatch, 'problem'>;
  exchange: Exchange;
  uploads: EventEmitter<UploadEvents>;
  metrics: Pick<PrometheusMetrics, 'countRound'>;
  live: LiveProgress;
  /** When it was claimed, on the clock of `time`. */
  claimedMs: number;
  /** Of all its Scenarios. */
  hosts: readonly string[];
  /** Aborted by a StopRequest to stop the Run. */
  stop: AbortController;
  /** Aborted while the Controller shuts down: the Run is left to the next start. */
  closing: AbortSignal;
  /** Informs watchers that something about the Run changed. */
  notify: () => void;
  time: Time;
  log: Logger;
}

/** Executes a claimed Run under its lease, and stores how it ended, unless the lease was lost. Throws where that cannot be stored. */
export async function ownRun(run: OwnedRun, context: OwnRunContext): Promise<void> {
  const {
    pool,
    disk,
    siteReader,
    storeWatch,
    uploads,
    metrics,
    live,
    claimedMs,
    hosts,
    stop,
    closing,
    notify,
    time,
    log,
  } = context;
  const { reach } = context.exchange;
  const storing = new AbortController();
  const stopWhenAsked = (state: OwnedRun['state']) => {
    if (state === 'stopping') stop.abort(new StopRequest());
  };
  using lease = new RunLease({ pool, run, claimedMs, onState: stopWhenAsked, time, log });
  const { lost } = lease;
  const signal = AbortSignal.any([lost, stop.signal, closing]);
  const leaving = AbortSignal.any([lost, storing.signal, closing]);
  const mayStore = AbortSignal.any([lost, storing.signal]);
  const store = <T>(work: (db: Pool) => Promise<T>) =>
    unlessAborted(
      retryTransient(() => work(pool), { signal: mayStore, log }),
      mayStore,
    );
  const leaveAgents = reach.want(hosts);
  stopWhenAsked(run.state);

  // A look at the disk beside each Round: a Round that breaks on a full disk uses up no attempt.
  const over = new AbortController();
  const wait = { sleep: time.sleep, signal: over.signal };
  const lookAtDisk = () => {
    disk.findProblem().catch((error: unknown) => log.warn({ err: error }, 'Cannot read the free disk space'));
  };
  actEvery(lookAtDiskEveryMs, lookAtDisk, wait);
  const shutdown = () => actAfter(shutdownLimitMs, () => storing.abort(new Shutdown()), wait);
  closing.addEventListener('abort', shutdown);

  log.info({ run: run.id }, `Run of "${run.evaluation.name}" starts or continues`);
  notify();
  try {
    await executeRun({
      run,
      hub: openOrderLine(reach, { run, mayOrder: () => lease.mayOrder }),
      epochClock: reach.epochClock,
      lookForAgents: () => store(() => reach.look(hosts)),
      disk,
      siteReader,
      storeWatch,
      store,
      uploads,
      live,
      metrics,
      notify,
      signal,
      leaving,
      lost,
      time,
      log,
    });
    await store((db) => endRun(db, run, { state: 'completed', problem: null }));
  } catch (error) {
    const end = lost.aborted ? 'lost' : endingOf(error);
    if (end === 'left') await releaseLease(pool, run);
    else if (end !== 'lost') await store((db) => endRun(db, run, end));
    log[end === 'lost' || end === 'left' || end.state === 'stopped' ? 'warn' : 'error'](
      { err: error, run: run.id },
      'The Run did not complete',
    );
  } finally {
    over.abort();
    closing.removeEventListener('abort', shutdown);
    leaveAgents();
  }
}

/** Ends a Run because somebody asked for it. */
export class StopRequest extends Error {
  override readonly name = 'StopRequest';
  override readonly message = 'The evaluator stopped the Run';
}

/** Ends the work on a Run because its Controller ends. */
export class Shutdown extends Error {
  override readonly name = 'Shutdown';
  override readonly message = 'The Controller was shut down';
}

/** What becomes of a Run that was not executed to its end: stopped, failed, left to the next start or another Controller, or lost to another Controller. */
function endingOf(error: unknown): { state: 'stopped' | 'failed'; problem: string | null } | 'left' | 'lost' {
  if (error instanceof StopRequest) return { state: 'stopped', problem: null };
  if (error instanceof Shutdown) return 'left';
  if (error instanceof LeaseLostError) return 'lost';
  return {
    state: 'failed',
    problem: error instanceof AppError ? error.message : `Internal error: ${(error as Error).message}`,
  };
}

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
  /** By how much the system clock leads the clock of this process. Read from both unless given. */
  readLead?: () => number;
  log: Logger;
}

/**
 * The lease of a Run, renewed until it is disposed of. An owner that cannot renew it gives it up before it ends, by the monotonic clock of its own
 * machine: without a word from the database it cannot know whether another Controller owns the Run by then. That clock stands still while the machine is asleep, and
 * the system clock does not.
 */
export class RunLease implements Disposable {
  readonly #options: LeaseOptions;
  readonly #loss = new AbortController();
  readonly #time: Time;
  readonly #end = new AbortController();
  #stopping = new AbortController();
  #heldSinceMs: number;
  /** Of the system clock at that time. */
  #leadMs: number;
  #isTaken = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#time = options.time ?? realTime;
    this.#heldSinceMs = options.claimedMs;
    this.#leadMs = this.#readLead();
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
    if (this.#isTaken) return false;
    const leadMs = this.#readLead();
    const asleepMs = describeClockStep(this.#leadMs, leadMs) === null ? 0 : leadMs - this.#leadMs;
    return this.#time.clock() + Math.max(0, asleepMs) < this.#heldSinceMs + leaseMs - silenceBeforeEndMs;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#stopping.abort();
  }

  #readLead(): number {
    return (this.#options.readLead ?? readCoarseLead)();
  }

  async #renew(): Promise<void> {
    const { pool, run, onState, log } = this.#options;
    const [askedMs, leadMs] = [this.#time.clock(), this.#readLead()];
    try {
      const state = await renewLease(pool, run);
      [this.#heldSinceMs, this.#leadMs] = [askedMs, leadMs];
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
