import type { Pool } from 'pg';
import { maximumPictureBytes } from '#core/protocol/filmstrip.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { Queryable } from '../../database/queryable.ts';
import { notePictureFile, takeOldPictures, takeUnnamedPictures, type TakenPictures } from '../pictures.ts';
import { removedMeanwhile, type ArtefactPlace, type ArtefactStore } from './artefact-store.ts';
import { AppError } from '#core/app-error.ts';

/** How every JPEG file begins: SOI, and the first byte of a marker. ITU-T T.81, B.1.1.2. */
const beginning = Buffer.from([0xff, 0xd8, 0xff]);

const defaultMaximumBytes = 1e9;

/** Room is made whenever so much of the limit has come: to sum up all files for each of many small ones would take longer than to store it. */
const unsummedRatio = 1 / 64;

const removedAtOnce = 16;

/**
 * The screenshots and the frames of filmstrips of all Runs in this place: the newest, as many as there is room for. Equal ones are one file. A file goes in the transaction that takes
 * out its note, and an upload looks for its file after its note is stored.
 */
export class PictureArchive {
  readonly files: ArtefactStore;
  readonly maximumBytes: number;
  readonly #pool: Pool;
  readonly #place: ArtefactPlace;
  #unsummedBytes = Infinity;

  /** `maximumBytes`: of all together, 1 GB when left out. */
  constructor(
    place: ArtefactPlace,
    { pool, maximumBytes = defaultMaximumBytes }: { pool: Pool; maximumBytes?: number },
  ) {
    this.files = place.pictures;
    this.maximumBytes = maximumBytes;
    this.#pool = pool;
    this.#place = place;
  }

  /** Stores one and makes room for it. Throws as `ArtefactStore.receive` does, and `invalid-input` for what is no JPEG. */
  async receive(sha256: string, contents: AsyncIterable<Buffer>): Promise<void> {
    const store = await this.#place.readId();
    const bytes = await this.files.receive(sha256, requireJpeg(contents), { maximumBytes: maximumPictureBytes });
    await notePictureFile(this.#pool, { sha256, bytes, store });
    if ((await this.files.sizeOf(sha256)) === null) throw removedMeanwhile(sha256);
    this.#unsummedBytes += bytes;
    if (this.#unsummedBytes < this.maximumBytes * unsummedRatio) return;
    this.#unsummedBytes = 0;
    const maximumBytes = this.maximumBytes * (1 - unsummedRatio);
    await this.#remove((db) => takeOldPictures(db, { store, maximumBytes }));
  }

  /** Removes those whose Visits were deleted. */
  async removeUnnamed(signal?: AbortSignal): Promise<void> {
    const store = await this.#place.readId();
    await this.#remove((db) => takeUnnamedPictures(db, store), signal);
  }

  /** Some at a time, until there are none. What fails stays for the next time. */
  async #remove(take: (db: Queryable) => Promise<TakenPictures>, signal?: AbortSignal): Promise<void> {
    const removeSome = () =>
      inTransaction(this.#pool, async (client) => {
        const taken = await take(client);
        const removable = taken?.removable ?? [];
        for (let place = 0; place < removable.length; place += removedAtOnce)
          await Promise.all(removable.slice(place, place + removedAtOnce).map((sha256) => this.files.remove(sha256)));
        return taken !== null;
      });
    while (!signal?.aborted && (await removeSome()));
  }
}

/** Passes on what begins as a JPEG does. Throws `invalid-input` for anything else: what a foreign page made must not come back as a document. */
async function* requireJpeg(contents: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  let isJpeg = false;
  for await (const chunk of contents) {
    if (isJpeg) {
      yield chunk;
      continue;
    }
    held = Buffer.concat([held, chunk]);
    if (held.length < beginning.length) continue;
    isJpeg = held.subarray(0, beginning.length).equals(beginning);
    if (!isJpeg) break;
    yield held;
  }
  if (!isJpeg)
    throw new AppError('invalid-input', 'The contents are not a JPEG: only pictures of pages are stored here');
}
