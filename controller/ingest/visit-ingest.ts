import type { Logger } from 'pino';
import { deriveReadings } from '#core/metrics/derive-readings.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { VisitRefusal } from '#core/protocol/visit-refusal.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { noteRefusedVisits } from '../db/refused-visits.ts';
import { toVisitRow, type VisitRow } from '../db/visits.ts';
import { OrderedVisits } from './ordered-visits.ts';
import { VisitWriters, type WaitingRow } from './visit-writers.ts';

/** Of a row without its Snapshot, about. */
const rowBytes = 2_000;

export interface IngestResult {
  storedIds: string[];
  refusals: ReadonlyMap<VisitRefusal, { visitIds: string[] }>;
}

/** Judges the Visits that Agents upload, derives their Readings, and stores them. A result is given only after the commit. */
export class VisitIngest {
  readonly #db: Queryable;
  readonly #log: Logger;
  readonly #ordered: OrderedVisits;
  readonly #writers: VisitWriters;

  constructor(db: Queryable, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#ordered = new OrderedVisits(db);
    this.#writers = new VisitWriters(db, log);
  }

  /** Rejects when the database is away: nothing is acknowledged then, and the Agent sends the same Visits again. */
  async store(agent: string, visits: readonly Visit[]): Promise<IngestResult> {
    const refused = new Map<Pick<Visit, 'id' | 'passId'>, VisitRefusal>();
    const accepted: Visit[] = [];
    const rows: WaitingRow[] = [];
    for (const [visit, judgement] of await this.#ordered.judge(agent, visits)) {
      if ('refusal' in judgement) {
        refused.set(visit, judgement.refusal);
        continue;
      }
      const row = this.#derive(visit, judgement.page);
      if (row === null) refused.set(visit, 'unreadable');
      else {
        accepted.push(visit);
        rows.push({ row, bytes: rowBytes + String(row.snapshot ?? '').length });
      }
    }
    const unstorable = await this.#writers.store(agent, rows);
    for (const visit of accepted) if (unstorable.has(visit.id)) refused.set(visit, 'unstorable');
    // A Pass of another Agent has nothing to do with it.
    await noteRefusedVisits(
      this.#db,
      [...refused].flatMap(([{ id, passId }, code]) => (code === 'not-ordered' ? [] : [{ id, passId, code }])),
    );

    const refusals = Map.groupBy(refused, ([, code]) => code);
    return {
      storedIds: accepted.map(({ id }) => id).filter((id) => !unstorable.has(id)),
      refusals: new Map([...refusals].map(([code, entries]) => [code, { visitIds: entries.map(([{ id }]) => id) }])),
    };
  }

  /** Null for a Visit whose Readings cannot be derived (a bug, or a forged Snapshot): it must not hold up the others. */
  #derive(visit: Visit, page: string): VisitRow | null {
    try {
      const readings = visit.outcome.snapshot ? deriveReadings(visit.outcome.snapshot, visit.filmstrip) : [];
      return toVisitRow({ visit, page, readings });
    } catch (error) {
      this.#log.error({ err: error, visit: visit.id }, 'Cannot derive the Readings of a Visit; it is rejected');
      return null;
    }
  }
}
