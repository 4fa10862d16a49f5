import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type CompressedVisit, type SentVisit, SentVisitSchema, toSentVisit } from '#core/protocol/sent-visit.ts';
import { VisitSchema, type Visit } from '#core/protocol/visit.ts';
import { constants, zstdCompressSync } from 'node:zlib';
import { toColumns } from '#core/columns/columns.ts';
import { snapshotDictionary } from '#core/columns/snapshot-dictionary.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { Logger } from 'pino';
import type { WaitingVisits } from '#core/agent/visit-uploader.ts';
import { measureFilm } from '../artefacts/measure-film.ts';
import type { PictureSpool } from './picture-uploader.ts';
import { keepIn } from './open-spool-database.ts';

/** A page of 100 objects takes 6 % less space than with the usual 3, for half a millisecond of CPU time. Level 19 takes 7 % less again, and ten times as long. */
export const snapshotCompression = { params: { [constants.ZSTD_c_compressionLevel]: 8 } };

const dictionary = Buffer.from(snapshotDictionary.text);

const batchBytes = 1024 * 1024;
const batchVisits = 50;
const maximumRefusal = 4096;

interface SpooledRow {
  id: string;
  body: string;
  snapshot: Uint8Array<ArrayBuffer> | null;
}

/** Visits until the Controller has acknowledged them. A Visit that the Controller refused is set aside, not deleted. */
export class VisitSpool {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  add(visit: Visit): void {
    const { visit: sent, snapshot } = compress(visit);
    keepIn(this.#database, 'insert into visit (id, pass_id, body, snapshot) values (?, ?, ?, ?)', [
      visit.id,
      visit.passId,
      JSON.stringify(sent),
      snapshot,
    ]);
  }

  /** The oldest Visits that wait, at most about 1 MiB of them. One that cannot be read is set aside: no other waits behind it. */
  nextBatch(): CompressedVisit[] {
    const rows = this.#database
      .prepare('select id, body, snapshot from visit where refusal is null order by sequence limit ?')
      .all(batchVisits);
    const batch: CompressedVisit[] = [];
    let bytes = 0;
    for (const { id, body, snapshot } of rows as unknown as SpooledRow[]) {
      bytes += body.length + (snapshot?.length ?? 0);
      if (batch.length > 0 && bytes > batchBytes) break;
      const { data: visit, error } = SentVisitSchema.or(VisitSchema).safeParse(JSON.parse(body));
      if (visit) batch.push(isSent(visit) ? { visit, snapshot } : compress(visit));
      else this.setAside([id], `This Agent cannot read it: ${z.prettifyError(error)}`.slice(0, maximumRefusal));
    }
    return batch.length === 0 && rows.length > 0 ? this.nextBatch() : batch;
  }

  forget(visitIds: readonly string[]): void {
    const statement = this.#database.prepare('delete from visit where id = ?');
    for (const id of visitIds) statement.run(id);
  }

  setAside(visitIds: readonly string[], reason: string): void {
    const statement = this.#database.prepare('update visit set refusal = ? where id = ?');
    for (const id of visitIds) statement.run(reason, id);
  }

  countWaiting(): number {
    return Number(this.#database.prepare('select count(*) as count from visit where refusal is null').get()?.['count']);
  }
}

function compress(visit: Visit): CompressedVisit {
  const snapshot = visit.outcome.snapshot && compressSnapshot(visit.outcome.snapshot);
  return { visit: toSentVisit(visit, snapshot), snapshot };
}

/** An older version spooled a Visit whole. */
function isSent(visit: SentVisit | Visit): visit is SentVisit {
  return 'snapshotBytes' in visit.outcome;
}

/** A Snapshot as it is kept, sent and stored: a page of 100 objects takes a twentieth of its JSON. */
export function compressSnapshot(snapshot: Snapshot): Uint8Array<ArrayBuffer> {
  const frame = zstdCompressSync(JSON.stringify(toColumns(snapshot)), { ...snapshotCompression, dictionary });
  return new Uint8Array(Buffer.concat([Buffer.of(snapshotDictionary.mark), frame]));
}

/**
 * The Visits that wait, with the visual progress of their films. It is computed as they are read for their upload, when nothing is
 * measured: decoding pictures takes processor time, which other User Agents of the host need while they load.
 */
export class FilmedVisits implements WaitingVisits {
  readonly #visits: VisitSpool;
  readonly #pictures: PictureSpool;
  readonly #log: Logger;

  constructor(visits: VisitSpool, pictures: PictureSpool, log: Logger) {
    this.#visits = visits;
    this.#pictures = pictures;
    this.#log = log;
  }

  countWaiting(): number {
    return this.#visits.countWaiting();
  }

  async nextBatch(): Promise<CompressedVisit[]> {
    const batch: CompressedVisit[] = [];
    for (const { visit, snapshot } of this.#visits.nextBatch())
      batch.push({ visit: await this.#measure(visit), snapshot });
    return batch;
  }

  forget(visitIds: readonly string[]): void {
    this.#visits.forget(visitIds);
  }

  setAside(visitIds: readonly string[], reason: string): void {
    this.#visits.setAside(visitIds, reason);
  }

  async #measure(visit: SentVisit): Promise<SentVisit> {
    if (visit.filmstrip?.kind !== 'kept') return visit;
    try {
      return { ...visit, filmstrip: await measureFilm(visit.filmstrip, (sha256) => this.#pictures.fileOf(sha256)) };
    } catch (error) {
      this.#log.warn({ err: error, visit: visit.id }, 'The visual progress of a film is not known');
      return visit;
    }
  }
}
