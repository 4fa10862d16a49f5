import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { shareArtefacts } from '#core/evaluation/artefact-givers.ts';
import { explainNoCapture } from '#core/evaluation/capture/explain-no-capture.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { StoreWatch } from './bucket/store-watch.ts';

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

interface Storage {
  disk: DiskSpace;
  storeWatch: Pick<StoreWatch, 'problem'>;
}

/** Why a Run of this Evaluation waits for storage, and what to do; null when what it measures can be stored. */
export async function findStorageProblem(
  { disk, storeWatch }: Storage,
  evaluation: Evaluation,
): Promise<string | null> {
  return (await disk.findProblem()) ?? (makesFiles(evaluation) ? storeWatch.problem : null);
}

function makesFiles(evaluation: Evaluation): boolean {
  const { capture, capturePoints, userAgents } = evaluation;
  const shares = shareArtefacts(evaluation);
  if (
    shares.some(({ artefact, givers }) => (artefact === 'screenshot' || artefact === 'filmstrip') && givers.length > 0)
  )
    return true;
  if (!capture.enabled || !capture.keepTraces) return false;
  return capturePoints.length > 0 || userAgents.some((user) => explainNoCapture(evaluation, user) === null);
}
