import { countUnstorableVisits } from '../visits/refused-visits.ts';
import { countStoredVisits } from '../runs/rounds.ts';
import { actAfter } from '#core/clock/time.ts';
import type { Arrival } from '../ingest/accept-uploads.ts';
import { RoundBrokenError, type RunContext } from './run-context.ts';

/** How long no Visit may arrive while some are missing: an Agent that is restarted has this long to come back and upload its spool. */
const silenceLimitMs = 120_000;

interface CollectedRound {
  id: string;
  passes: { id: string; userAgent: string; agent: string; visitsExpected: number }[];
}

/**
 * Asks the Agents for what they spooled and waits until all of it is stored. Each Agent is asked once, and continues by itself; again after two seconds, as it may have connected
 * again since. Throws RoundBrokenError when Visits stay away.
 */
export async function collectVisits(context: RunContext, round: CollectedRound): Promise<void> {
  const { hub, store, signal, time } = context;
  let lastTotal = -1;
  let deadlineMs = time.clock() + silenceLimitMs;
  using uploads = new UploadWatch(context);
  for (;;) {
    signal.throwIfAborted();
    uploads.beginLook();
    const stored = await store((db) => countStoredVisits(db, round.id));
    const missing = round.passes.filter((pass) => (stored.get(pass.id) ?? 0) < pass.visitsExpected);
    if (missing.length === 0) return;

    const unstorable = await store((db) => countUnstorableVisits(db, round.id));
    const unstored = missing.filter((pass) => unstorable.has(pass.id));
    if (unstored.length > 0) {
      const whose = unstored.map((pass) => `${unstorable.get(pass.id)} of ${pass.userAgent}`).join(', ');
      throw new RoundBrokenError(`Cannot store Visits, ${whose}: their Agent keeps them; see the Controller's log`);
    }

    const total = [...stored.values()].reduce((sum, count) => sum + count, 0);
    if (total > lastTotal) deadlineMs = time.clock() + silenceLimitMs;
    lastTotal = total;
    if (time.clock() > deadlineMs) {
      throw new RoundBrokenError(
        `The Visits of ${missing.map((pass) => pass.userAgent).join(', ')} did not arrive within ${silenceLimitMs / 1000} s`,
      );
    }
    for (const agent of new Set(missing.map((pass) => pass.agent))) hub.send(agent, { type: 'upload-visits' });
    await uploads.untilStored(
      new Map(missing.map((pass) => [pass.id, pass.visitsExpected - (stored.get(pass.id) ?? 0)])),
    );
  }
}

const lookAgainMs = 2_000;

/** Sees each commit of what Agents upload from the moment it is made, also one that falls between a look at the database and the wait for the next commit. */
export class UploadWatch implements Disposable {
  readonly #context: Pick<RunContext, 'uploads' | 'signal' | 'time'>;
  readonly #wake = () => this.#arrival.resolve();
  readonly #note = (arrival: Arrival) => {
    this.#noted.push(arrival);
    this.#wake();
  };
  #noted: Arrival[] = [];
  #arrival = Promise.withResolvers<void>();

  constructor(context: Pick<RunContext, 'uploads' | 'signal' | 'time'>) {
    this.#context = context;
    context.uploads.on('stored', this.#note);
    context.signal.addEventListener('abort', this.#wake);
  }

  /** Resolves at the first commit since the call before, or after two seconds, or when aborted. */
  next(): Promise<void> {
    return this.#until(() => true);
  }

  /** Call it before each look at the database: commits from now on may be missing there. */
  beginLook(): void {
    this.#noted = [];
  }

  /**
   * Resolves when since the last look that many Visits of each Pass were stored, or one was refused; or after two seconds, or when aborted. A Visit that was stored twice counts
   * twice, and what another Controller stored may not be known yet: only the database shows what is there.
   */
  untilStored(missing: ReadonlyMap<string, number>): Promise<void> {
    const left = new Map(missing);
    return this.#until((arrivals) => {
      for (const { passIds } of arrivals)
        for (const passId of passIds) {
          const before = left.get(passId) ?? 0;
          if (before > 1) left.set(passId, before - 1);
          else left.delete(passId);
        }
      return left.size === 0 || arrivals.some(({ isRefused }) => isRefused);
    });
  }

  [Symbol.dispose](): void {
    this.#context.uploads.off('stored', this.#note);
    this.#context.signal.removeEventListener('abort', this.#wake);
  }

  async #until(isEnough: (arrivals: readonly Arrival[]) => boolean): Promise<void> {
    const { signal, time } = this.#context;
    const over = new AbortController();
    let isLate = false;
    const wakeLate = () => {
      isLate = true;
      this.#wake();
    };
    actAfter(lookAgainMs, wakeLate, { sleep: time.sleep, signal: over.signal });
    let isOver = false;
    while (!isOver) {
      await this.#arrival.promise;
      this.#arrival = Promise.withResolvers();
      isOver = isEnough(this.#noted) || isLate || signal.aborted;
      this.#noted = [];
    }
    over.abort();
  }
}
