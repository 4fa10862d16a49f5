import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Derivation, SnapshotToRead } from './derivation-worker.ts';

const mostWorkers = Math.min(4, availableParallelism());
const idleLimitMs = 300_000;
/** Of one order. A page of a thousand requests takes some 10 ms. */
const derivationLimitMs = 60_000;
/** What the largest Snapshot takes, several times. */
const mostHeapMegabytes = 1024;

interface Order {
  snapshots: readonly SnapshotToRead[];
  done: PromiseWithResolvers<Derivation[]>;
}

/**
 * Reads Snapshots and derives what is stored of them, in threads of their own, so that they do not hold up the Controller. The threads are there while they are needed. One
 * that a Snapshot kills, by its memory or its time, costs that Snapshot only.
 */
export class DerivationPool implements AsyncDisposable {
  readonly #waiting: Order[] = [];
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  #resting: NodeJS.Timeout | undefined;
  #isOver = false;

  /** In their order. Rejects only when the Controller shuts down. */
  derive(snapshots: readonly SnapshotToRead[]): Promise<Derivation[]> {
    if (snapshots.length === 0) return Promise.resolve([]);
    const done = Promise.withResolvers<Derivation[]>();
    this.#waiting.push({ snapshots, done });
    this.#startNext();
    return done.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#resting);
    for (const { done } of this.#waiting.splice(0)) done.reject(new Error('The Controller was shut down'));
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #startNext(): void {
    clearTimeout(this.#resting);
    while (this.#waiting.length > 0 && !this.#isOver) {
      const worker = this.#idle.pop() ?? this.#startWorker();
      if (!worker) return;
      void this.#execute(this.#waiting.shift()!, worker);
    }
    if (this.#idle.length === this.#all.size) this.#resting = setTimeout(() => this.#endIdle(), idleLimitMs).unref();
  }

  #startWorker(): Worker | null {
    if (this.#all.size >= mostWorkers) return null;
    const worker = new Worker(new URL('./derivation-worker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMegabytes },
    });
    worker.unref();
    worker.on('error', () => undefined); // its end reports it
    this.#all.add(worker);
    return worker;
  }

  async #execute(order: Order, worker: Worker): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<Derivation[]>();
    const fail = (error: Error) => reject(error);
    const end = () => reject(new Error('The thread ended'));
    const late = setTimeout(() => reject(new Error(`It takes more than ${derivationLimitMs / 1000} s`)), derivationLimitMs);
    worker.once('message', resolve).once('error', fail).once('exit', end);
    // A message has its own copies, not the whole upload that they are parts of.
    const copies = order.snapshots.map(({ snapshot, filmstrip }) => ({
      snapshot: new Uint8Array(snapshot),
      filmstrip,
    }));
    worker.postMessage(
      copies satisfies SnapshotToRead[],
      copies.map(({ snapshot }) => snapshot.buffer),
    );
    try {
      order.done.resolve(await promise);
      worker.off('message', resolve).off('error', fail).off('exit', end);
      this.#idle.push(worker);
    } catch (error) {
      this.#all.delete(worker);
      await worker.terminate();
      this.#giveUp(order, error as Error);
    } finally {
      clearTimeout(late);
    }
    this.#startNext();
  }

  /** Each Snapshot by itself is tried once more, to find the one that cannot be read. */
  #giveUp({ snapshots, done }: Order, { message }: Error): void {
    if (this.#isOver) done.reject(new Error('The Controller was shut down'));
    else if (snapshots.length === 1) done.resolve([{ kind: 'refused', code: 'unreadable', problem: message }]);
    else
      Promise.all(snapshots.map((each) => this.derive([each]))).then(
        (derived) => done.resolve(derived.flat()),
        (error: unknown) => done.reject(error),
      );
  }

  #endIdle(): void {
    for (const worker of this.#idle.splice(0)) {
      this.#all.delete(worker);
      void worker.terminate();
    }
  }
}
