import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Screenshot } from '#core/protocol/screenshot.ts';
import type { TakenScreenshot } from '../engines/engine.ts';

/** Screenshots until the Controller has them: files by their hash, so that equal ones are kept, and uploaded, once. */
export class ScreenshotSpool {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (name.endsWith('.unfinished')) rmSync(path.join(folder, name));
  }

  /** What the Visit is to tell of it. */
  keep(screenshot: TakenScreenshot): Screenshot {
    if (screenshot.kind === 'absent') return screenshot;
    const { jpeg } = screenshot;
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    const unfinished = `${this.fileOf(sha256)}.unfinished`;
    writeFileSync(unfinished, jpeg, { mode: 0o600, flush: true });
    renameSync(unfinished, this.fileOf(sha256));
    return { kind: 'kept', sha256, bytes: jpeg.length };
  }

  /** The hash of one that waits; null when none does. */
  next(): string | null {
    const name = readdirSync(this.folder).find((each) => each.endsWith('.jpg'));
    return name ? path.basename(name, '.jpg') : null;
  }

  fileOf(sha256: string): string {
    return path.join(this.folder, `${sha256}.jpg`);
  }

  forget(sha256: string): void {
    rmSync(this.fileOf(sha256), { force: true });
  }
}
