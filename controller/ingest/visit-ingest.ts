import type { Logger } from 'pino';
import { deriveReadings } from '#core/metrics/derive-readings.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { VisitRefusal } from '#core/protocol/visit-refusal.ts';
import { isDataError } from '../db/connection/is-data-error.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { noteRefusedVisits } from '../db/refused-visits.ts';
import { formatVisitRow, storeVisitRows } from '../db/visits.ts';
import { OrderedVisits } from './ordered-visits.ts';

/** Of one statement: more would be one string in memory, and others would wait for it. One Visit may be longer. */
const batchCharacters = 2 * 1024 * 1024;
const batchRows = 200;

export interface IngestResult {
  storedIds: string[];
  refusals: ReadonlyMap<VisitRefusal, { visitIds: string[] }>;
}

/** A Visit as it is to be stored. */
interface VisitRow {
  visit: Pick<Visit, 'id' | 'passId'>;
  json: string;
}

interface Waiting {
  rows: VisitRow[];
  done: PromiseWithResolvers<ReadonlySet<string>>;
}

/**
 * Stores what Agents upload: at once when no write is in flight, else together with what comes until it is over, so that many
 * Agents cost few transactions. A result is given only after the commit.
 */
export class VisitIngest {
  readonly #db: Queryable;
  readonly #log: Logger;
  readonly #ordered: OrderedVisits;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(db: Queryable, log: Logger) {
    this.#db = db;
    this.#log = log;
    this.#ordered = new OrderedVisits(db);
  }

  /** Rejects when the database is away: nothing is acknowledged then, and the Agent sends the same Visits again. */
  async store(agent: string, visits: readonly Visit[]): Promise<IngestResult> {
    const refused = new Map<Pick<Visit, 'id' | 'passId'>, VisitRefusal>();
    const rows: VisitRow[] = [];
    for (const [visit, judgement] of await this.#ordered.judge(agent, visits)) {
      if ('refusal' in judgement) {
        refused.set(visit, judgement.refusal);
        continue;
      }
      const json = this.#format(visit, judgement.page);
      if (json === null) refused.set(visit, 'unreadable');
      else rows.push({ visit: { id: visit.id, passId: visit.passId }, json });
    }
    const unstorable = await this.#enqueue(rows);
    for (const { visit } of rows) if (unstorable.has(visit.id)) refused.set(visit, 'unstorable');
    // A Pass of another Agent has nothing to do with it.
    await noteRefusedVisits(
      this.#db,
      [...refused].flatMap(([{ id, passId }, code]) => (code === 'not-ordered' ? [] : [{ id, passId, code }])),
    );

    const refusals = Map.groupBy(refused, ([, code]) => code);
    return {
      storedIds: rows.map(({ visit }) => visit.id).filter((id) => !unstorable.has(id)),
      refusals: new Map([...refusals].map(([code, entries]) => [code, { visitIds: entries.map(([{ id }]) => id) }])),
    };
  }

  /** Null for a Visit whose Readings cannot be derived (a bug, or a forged Snapshot): it must not hold up the others. */
  #format(visit: Visit, page: string): string | null {
    try {
      const readings = visit.outcome.snapshot ? deriveReadings(visit.outcome.snapshot, visit.filmstrip) : [];
      return formatVisitRow({ visit, page, readings });
    } catch (error) {
      this.#log.error({ err: error, visit: visit.id }, 'Cannot derive the Readings of a Visit; it is rejected');
      return null;
    }
  }

  /** Resolves, once the others are stored, with the ids of those that the database refuses. */
  #enqueue(rows: VisitRow[]): Promise<ReadonlySet<string>> {
    if (rows.length === 0) return Promise.resolve(new Set());
    const done = Promise.withResolvers<ReadonlySet<string>>();
    this.#waiting.push({ rows, done });
    if (!this.#isWriting) void this.#writeAll();
    return done.promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const uploads = this.#takeUploads();
      try {
        const refused = new Set<string>();
        for (const batch of splitIntoBatches(uploads.flatMap(({ rows }) => rows))) await this.#write(batch, refused);
        for (const { done } of uploads) done.resolve(refused);
      } catch (error) {
        for (const { done } of uploads) done.reject(error);
      }
    }
    this.#isWriting = false;
  }

  /** As many of those that wait, in order, as one batch has room for, and at least one. */
  #takeUploads(): Waiting[] {
    let characters = 0;
    let rows = 0;
    const end = this.#waiting.findIndex((upload) => {
      characters += upload.rows.reduce((sum, { json }) => sum + json.length, 0);
      rows += upload.rows.length;
      return characters > batchCharacters || rows > batchRows;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : Math.max(1, end));
  }

  /** Where the data of a batch are refused, its halves are stored by themselves, down to the Visit that is to blame. */
  async #write(batch: readonly VisitRow[], refused: Set<string>): Promise<void> {
    try {
      await storeVisitRows(
        this.#db,
        batch.map(({ json }) => json),
      );
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (batch.length === 1) {
        const [{ visit }] = batch as [VisitRow];
        this.#log.error({ err: error, visit: visit.id }, 'The database cannot store a Visit; it is rejected');
        refused.add(visit.id);
        return;
      }
      const middle = Math.floor(batch.length / 2);
      await this.#write(batch.slice(0, middle), refused);
      await this.#write(batch.slice(middle), refused);
    }
  }
}

function splitIntoBatches(rows: readonly VisitRow[]): VisitRow[][] {
  const batches: VisitRow[][] = [];
  let characters = Infinity;
  for (const row of rows) {
    const last = batches.at(-1);
    if (last && characters + row.json.length <= batchCharacters && last.length < batchRows) {
      last.push(row);
      characters += row.json.length;
    } else {
      batches.push([row]);
      characters = row.json.length;
    }
  }
  return batches;
}
