import path from 'node:path';
import type { Pool } from 'pg';
import { maximumPictureBytes } from '#core/protocol/picture.ts';
import { giveUpPictures, giveUpUnnamedPictures, notePictureFile } from '../db/pictures.ts';
import { ArtefactStore } from './artefact-store.ts';
import { requireJpeg } from './require-jpeg.ts';
import { readStoreId } from './store-id.ts';

const defaultMaximumBytes = 1e9;

/** Room is made whenever so much of the limit has come: to sum up all files for each of many small ones would take longer than to store it. */
const unsummedRatio = 1 / 64;

/** The screenshots and the frames of filmstrips of all Runs: the newest, as many as there is room for. Equal ones are one file. */
export class PictureArchive {
  readonly files: ArtefactStore;
  readonly #pool: Pool;
  readonly maximumBytes: number;
  #unsummedBytes = Infinity;
  readonly #artefactsFolder: string;
  #store: string | null = null;

  /** `maximumBytes`: of all together, 1 GB when left out. */
  constructor(
    artefactsFolder: string,
    { pool, maximumBytes = defaultMaximumBytes }: { pool: Pool; maximumBytes?: number },
  ) {
    // Called so when screenshots were all there was.
    this.files = new ArtefactStore(path.join(artefactsFolder, 'screenshots'), { maximumBytes: maximumPictureBytes });
    this.#artefactsFolder = artefactsFolder;
    this.#pool = pool;
    this.maximumBytes = maximumBytes;
  }

  /** Stores one and makes room for it. Throws as `ArtefactStore.receive` does, and `invalid-input` for what is no JPEG. */
  async receive(sha256: string, contents: AsyncIterable<Buffer>): Promise<void> {
    await this.files.receive(sha256, requireJpeg(contents));
    const bytes = await this.#readBytes(sha256);
    const store = await this.#ownStore();
    await notePictureFile(this.#pool, { sha256, bytes, store });
    this.#unsummedBytes += bytes;
    if (this.#unsummedBytes < this.maximumBytes * unsummedRatio) return;
    this.#unsummedBytes = 0;
    for (const old of await giveUpPictures(this.#pool, {
      store,
      maximumBytes: this.maximumBytes * (1 - unsummedRatio),
    }))
      await this.files.remove(old);
  }

  /** Removes those whose Visits were deleted. */
  async removeUnnamed(): Promise<void> {
    for (const sha256 of await giveUpUnnamedPictures(this.#pool, await this.#ownStore()))
      await this.files.remove(sha256);
  }

  async #ownStore(): Promise<string> {
    return (this.#store ??= await readStoreId(this.#artefactsFolder));
  }

  async #readBytes(sha256: string): Promise<number> {
    await using file = await this.files.open(sha256);
    return file ? (await file.stat()).size : 0;
  }
}
