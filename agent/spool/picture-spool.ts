import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, opendirSync, readdirSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Picture } from '#core/protocol/picture.ts';

/** Pictures of pages until the Controller has them: files by their hash, so that equal ones are kept, and uploaded, once. */
export class PictureSpool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (name.endsWith('.unfinished')) rmSync(path.join(folder, name));
  }

  async keep(jpeg: Uint8Array): Promise<Picture> {
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    const unfinished = `${this.fileOf(sha256)}.${randomUUID()}.unfinished`;
    // Not flushed: beside other User Agents that measure it would cost, and the Controller refuses one that a power cut left damaged.
    await writeFile(unfinished, jpeg, { mode: 0o600 });
    await rename(unfinished, this.fileOf(sha256));
    return { sha256, bytes: jpeg.length };
  }

  /** The hash of one that waits; null when none does. */
  next(): string | null {
    const folder = opendirSync(this.#folder);
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (entry.name.endsWith('.jpg')) return path.basename(entry.name, '.jpg');
      return null;
    } finally {
      folder.closeSync();
    }
  }

  fileOf(sha256: string): string {
    return path.join(this.#folder, `${sha256}.jpg`);
  }

  forget(sha256: string): void {
    rmSync(this.fileOf(sha256), { force: true });
  }
}
