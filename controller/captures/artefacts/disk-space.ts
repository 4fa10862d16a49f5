import { statfs } from 'node:fs/promises';
import path from 'node:path';

/** PostgreSQL takes 16 MiB at a time for its log, and Agents upload traces of some megabytes. */
const leastFreeBytes = 64 * 1024 ** 2;

/** Whether there is room on the disks that the Controller keeps its data on. */
export class DiskSpace {
  readonly #folders: readonly string[];
  #lastFullMs = -Infinity;

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** What to do about a disk that is full, or nearly so; null when there is room. */
  async findProblem(): Promise<string | null> {
    for (const folder of this.#folders) {
      if ((await freeBytesOf(folder)) >= leastFreeBytes) continue;
      this.#lastFullMs = performance.now();
      return `The disk of ${folder} is full: less than ${leastFreeBytes / 1024 ** 2} MiB are free. Free space on it`;
    }
    return null;
  }

  /** Whether a look since then found no room. `sinceMs`: of performance.now(). */
  wasFullSince(sinceMs: number): boolean {
    return this.#lastFullMs >= sinceMs;
  }
}

/** A folder that is not made yet will be on the disk of the one above it. */
async function freeBytesOf(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const above = path.dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    return freeBytesOf(above);
  }
}
