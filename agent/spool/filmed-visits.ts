import type { Logger } from 'pino';
import type { WaitingVisits } from '#core/agent/visit-uploader.ts';
import type { CompressedVisit, SentVisit } from '#core/protocol/sent-visit.ts';
import { measureFilm } from '../films/measure-film.ts';
import type { PictureSpool } from './picture-spool.ts';
import type { VisitSpool } from './visit-spool.ts';

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
