import { availableParallelism } from 'node:os';
import { ProcessLostError, ProcessPool } from '../agents/process-pool.ts';
import type { Derivation, SnapshotToRead } from './derivation-process.ts';

const usualProcesses = Math.min(4, availableParallelism());
/** Of one order. A page of a thousand requests takes some 10 ms. */
const limitMs = 60_000;
/** What the largest Snapshot takes, several times. */
const usualHeapMegabytes = 1024;

/** Reads Snapshots and derives what is stored of them, in processes of their own. One that a Snapshot kills costs that Snapshot only. */
export class DerivationPool implements AsyncDisposable {
  readonly #processes: ProcessPool<readonly SnapshotToRead[], Derivation[]>;

  constructor({
    mostHeapMegabytes = usualHeapMegabytes,
    mostProcesses = usualProcesses,
  }: { mostHeapMegabytes?: number; mostProcesses?: number } = {}) {
    const module = new URL('./derivation-process.ts', import.meta.url);
    this.#processes = new ProcessPool({ module, mostProcesses, mostHeapMegabytes, limitMs });
  }

  /** In their order. `agent`: who sent them; each Agent has its turns. Rejects only when the Controller shuts down. */
  async derive(snapshots: readonly SnapshotToRead[], agent = ''): Promise<Derivation[]> {
    if (snapshots.length === 0) return [];
    try {
      return await this.#processes.ask(snapshots, agent);
    } catch (error) {
      if (!(error instanceof ProcessLostError)) throw error;
      if (snapshots.length === 1) return [{ kind: 'refused', code: 'unreadable', problem: error.message }];
    }
    // Each by itself is tried once more, to find the one that cannot be read.
    const derived = await Promise.all(snapshots.map((each) => this.derive([each], agent)));
    return derived.flat();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#processes[Symbol.asyncDispose]();
  }
}
