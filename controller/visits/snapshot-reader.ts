import { setImmediate } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { ProcessLostError, ProcessPool } from '../agents/process-pool.ts';
import { SnapshotTooLargeError } from './compressed-snapshot.ts';
import type { SnapshotToWrite, WrittenSnapshot } from './snapshot-process.ts';
import { writeSnapshot, type SnapshotForm, type StoredSnapshot } from './written-snapshot.ts';

/** Of JSON. More is parsed in another process. A page of a hundred requests has 0.05 MB, and takes some milliseconds. */
const mostBytesHere = 256 * 1024;
/** One for others beside one that has much to read. */
const mostProcesses = 2;
/** The largest Snapshot takes a few seconds. */
const limitMs = 60_000;
/** What the largest Snapshot takes, several times. */
const usualHeapMegabytes = 1024;

/** Of the words for what is wrong, in characters: each of 50,000 requests may be wrong. */
export const mostOfProblem = 1000;

/** Reads stored Snapshots, and writes them for those who ask. How large one is shows before anything of it is parsed; a large one does not hold up the Controller. */
export class SnapshotReader implements AsyncDisposable {
  readonly #processes: ProcessPool<SnapshotToWrite, WrittenSnapshot>;

  constructor({ mostHeapMegabytes = usualHeapMegabytes }: { mostHeapMegabytes?: number } = {}) {
    const module = new URL('./snapshot-process.ts', import.meta.url);
    this.#processes = new ProcessPool({ module, mostProcesses, mostHeapMegabytes, limitMs });
  }

  /** Throws `internal` for a Snapshot that cannot be read, and any other error when the Controller shuts down. */
  async write(stored: StoredSnapshot, form: SnapshotForm): Promise<string> {
    await setImmediate(); // many small ones do not hold up others either
    try {
      return writeSnapshot(stored, form, mostBytesHere);
    } catch (error) {
      if (!(error instanceof SnapshotTooLargeError)) throw unreadable((error as Error).message, error);
    }
    const written = await this.#processes.ask({ stored, form }).catch((error: unknown) => {
      throw error instanceof ProcessLostError ? unreadable(error.message, error) : error;
    });
    if (written.kind === 'problem') throw unreadable(written.problem);
    return written.text;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#processes[Symbol.asyncDispose]();
  }
}

function unreadable(problem: string, cause?: unknown): AppError {
  return new AppError('internal', `The Snapshot of the Visit cannot be read: ${problem.slice(0, mostOfProblem)}`, {
    cause,
  });
}
