import type { Logger } from 'pino';
import { type Queryable, isDataError } from '../database/queryable.ts';
import { storeVisitRows, type VisitRow } from '../visits/store-visits.ts';

/** Of one statement: more would be one string in memory, and others would wait for it. One Visit may be longer. */
const mostBytesOfBatch = 2 * 1024 * 1024;
const mostRows = 100;
/** Statements at a time: while PostgreSQL writes one to its disk, the next is prepared. */
const mostStatements = 3;
/** A statement beside another one has at least so many Visits, or so many bytes: small ones cost more than what they save. */
const worthwhile = { rows: 50, bytes: 512 * 1024 };

/** Of a row beside its Snapshot, about. */
const rowBytes = 2_000;

interface Upload {
  agent: string;
  rows: VisitRow[];
  /** Of its Visits, those that the database refuses. */
  refused: Set<string>;
  done: PromiseWithResolvers<ReadonlySet<string>>;
}

/**
 * Stores what Agents upload, a few statements at a time: at once when none is under way, else together with what comes until it is worthwhile, so that many Agents cost few
 * transactions. Agents have their turns in order, each of at most one statement.
 */
export class VisitWriters {
  readonly #db: Queryable;
  readonly #log: Logger;
  #waiting: Upload[] = [];
  /** Those whose Visits are being stored: no two statements have Visits of the same one. */
  readonly #underWay = new Set<string>();
  #statements = 0;

  constructor(db: Queryable, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Resolves after the commit, with the ids of those that the database refuses. */
  store(agent: string, rows: readonly VisitRow[]): Promise<ReadonlySet<string>> {
    if (rows.length === 0) return Promise.resolve(new Set());
    const done = Promise.withResolvers<ReadonlySet<string>>();
    this.#waiting.push({ agent, rows: [...rows], refused: new Set(), done });
    this.#startNext();
    return done.promise;
  }

  #startNext(): void {
    while (this.#statements < mostStatements && (this.#statements === 0 || this.#isWorthwhile())) {
      const parts = this.#takeParts();
      if (parts.length === 0) return;
      this.#statements++;
      void this.#storeParts(parts).finally(() => {
        this.#statements--;
        this.#startNext();
      });
    }
  }

  #isWorthwhile(): boolean {
    let rows = 0;
    let bytes = 0;
    for (const upload of this.#waiting) {
      if (this.#underWay.has(upload.agent)) continue;
      for (const row of upload.rows) {
        rows++;
        bytes += bytesOf(row);
        if (rows >= worthwhile.rows || bytes >= worthwhile.bytes) return true;
      }
    }
    return false;
  }

  /** Of each that waits, in order, what a statement has room for, and at least one Visit; the rest of the last one waits behind the others. */
  #takeParts(): { upload: Upload; rows: VisitRow[] }[] {
    const parts: { upload: Upload; rows: VisitRow[] }[] = [];
    const rest: Upload[] = [];
    const behind: Upload[] = [];
    let left = { rows: mostRows, bytes: mostBytesOfBatch };
    for (const upload of this.#waiting) {
      const isFull = left.rows <= 0 || left.bytes <= 0;
      if (isFull || this.#underWay.has(upload.agent)) {
        rest.push(upload);
        continue;
      }
      const rows: VisitRow[] = [];
      for (const row of upload.rows) {
        const bytes = bytesOf(row);
        if (left.rows === 0 || (left.bytes < bytes && left.rows < mostRows)) {
          left = { rows: 0, bytes: 0 };
          break;
        }
        left = { rows: left.rows - 1, bytes: left.bytes - bytes };
        rows.push(row);
      }
      upload.rows.splice(0, rows.length);
      if (rows.length > 0) parts.push({ upload, rows });
      if (upload.rows.length > 0) (rows.length > 0 ? behind : rest).push(upload);
    }
    this.#waiting = [...rest, ...behind];
    for (const { upload } of parts) this.#underWay.add(upload.agent);
    return parts;
  }

  async #storeParts(parts: readonly { upload: Upload; rows: VisitRow[] }[]): Promise<void> {
    try {
      const refused = new Set<string>();
      await this.#write(
        parts.flatMap(({ rows }) => rows),
        refused,
      );
      for (const { upload, rows } of parts) {
        for (const { id } of rows) if (refused.has(id)) upload.refused.add(id);
        if (upload.rows.length === 0) upload.done.resolve(upload.refused);
      }
    } catch (error) {
      // What of it is not stored yet is not stored either: its Agent sends all of it again.
      const failed = new Set(parts.map(({ upload }) => upload));
      this.#waiting = this.#waiting.filter((upload) => !failed.has(upload));
      for (const { done } of failed) done.reject(error);
    } finally {
      for (const { upload } of parts) this.#underWay.delete(upload.agent);
    }
  }

  /** Where the data of a statement are refused, its halves are stored by themselves, down to the Visit that is to blame. */
  async #write(rows: readonly VisitRow[], refused: Set<string>): Promise<void> {
    try {
      await storeVisitRows(this.#db, rows);
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (rows.length === 1) {
        const [{ id }] = rows as [VisitRow];
        this.#log.error({ err: error, visit: id }, 'The database cannot store a Visit; it is rejected');
        refused.add(id);
        return;
      }
      const middle = Math.floor(rows.length / 2);
      await this.#write(rows.slice(0, middle), refused);
      await this.#write(rows.slice(middle), refused);
    }
  }
}

function bytesOf({ snapshot }: VisitRow): number {
  return rowBytes + (snapshot?.length ?? 0);
}
