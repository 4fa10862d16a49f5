import path from 'node:path';
import type { Pool } from 'pg';
import { maximumScreenshotBytes } from '#core/protocol/screenshot.ts';
import { giveUpScreenshots, noteScreenshotFile } from '../db/screenshots.ts';
import { ArtefactStore } from './artefact-store.ts';

const defaultMaximumBytes = 1024 ** 3;

/** The screenshots of all Runs: the newest, as many as there is room for. Equal ones are one file. */
export class ScreenshotArchive {
  readonly files: ArtefactStore;
  private readonly pool: Pool;
  readonly maximumBytes: number;

  /** `maximumBytes`: of all together, 1 GiB when left out. */
  constructor(artefactsFolder: string, { pool, maximumBytes = defaultMaximumBytes }: { pool: Pool; maximumBytes?: number }) {
    this.files = new ArtefactStore(path.join(artefactsFolder, 'screenshots'), { maximumBytes: maximumScreenshotBytes });
    this.pool = pool;
    this.maximumBytes = maximumBytes;
  }

  /** Stores one and makes room for it. Throws as `ArtefactStore.receive` does. */
  async receive(sha256: string, contents: AsyncIterable<Buffer>): Promise<void> {
    await this.files.receive(sha256, contents);
    await noteScreenshotFile(this.pool, { sha256, bytes: await this.readBytes(sha256) });
    for (const old of await giveUpScreenshots(this.pool, this.maximumBytes)) await this.files.remove(old);
  }

  private async readBytes(sha256: string): Promise<number> {
    await using file = await this.files.open(sha256);
    return file ? (await file.stat()).size : 0;
  }
}
