import type { Logger } from 'pino';
import { deriveReadings } from '#core/metrics/derive-readings.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { Queryable } from '../db/queryable.ts';
import { findPassesOf, storeVisits, type DerivedVisit } from '../db/visits.ts';

export interface IngestResult {
  storedIds: string[];
  refusedIds: string[];
}

interface Waiting {
  visits: DerivedVisit[];
  done: PromiseWithResolvers<void>;
}

/**
 * Stores what Agents upload: at once when no write is in flight, else together with all that comes until it is over, so that many
 * Agents cost few transactions. A result is given only after the commit.
 */
export class VisitIngest {
  private readonly db: Queryable;
  private readonly log: Logger;
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(db: Queryable, log: Logger) {
    this.db = db;
    this.log = log;
  }

  /** Rejects when the database does: nothing is acknowledged then, and the Agent sends the same Visits again. */
  async store(agent: string, visits: readonly Visit[]): Promise<IngestResult> {
    const known = await findPassesOf(this.db, agent, [...new Set(visits.map((visit) => visit.passId))]);
    const derived = visits.filter((visit) => known.has(visit.passId)).flatMap((visit) => this.derive(visit));
    if (derived.length > 0) await this.enqueue(derived);
    const storedIds = derived.map(({ visit }) => visit.id);
    const stored = new Set(storedIds);
    return { storedIds, refusedIds: visits.map((visit) => visit.id).filter((id) => !stored.has(id)) };
  }

  /** A Visit whose Readings cannot be derived (a bug, or a forged Snapshot) must not hold up the others. */
  private derive(visit: Visit): DerivedVisit[] {
    try {
      return [{ visit, readings: visit.outcome.snapshot ? deriveReadings(visit.outcome.snapshot) : [] }];
    } catch (error) {
      this.log.error({ err: error, visit: visit.id }, 'The Readings of a Visit could not be derived; it is refused');
      return [];
    }
  }

  private enqueue(visits: DerivedVisit[]): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.waiting.push({ visits, done });
    if (!this.isWriting) void this.writeAll();
    return done.promise;
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        await storeVisits(this.db, batch.flatMap(({ visits }) => visits));
        for (const { done } of batch) done.resolve();
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    this.isWriting = false;
  }
}
