import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Derivation, SnapshotToRead } from './derivation-process.ts';

const mostProcesses = Math.min(4, availableParallelism());
const idleLimitMs = 300_000;
/** Of one order. A page of a thousand requests takes some 10 ms. */
const derivationLimitMs = 60_000;
/** What the largest Snapshot takes, several times. A process that needs more is ended by V8, as a whole: a thread would take the Controller with it. */
const usualHeapMegabytes = 1024;

interface Order {
  snapshots: readonly SnapshotToRead[];
  done: PromiseWithResolvers<Derivation[]>;
}

/**
 * Reads Snapshots and derives what is stored of them, in processes of their own, so that they do not hold up the Controller. The processes are there while they are needed. One
 * that a Snapshot kills, by its memory or its time, costs that Snapshot only.
 */
export class DerivationPool implements AsyncDisposable {
  readonly #mostHeapMegabytes: number;
  readonly #waiting: Order[] = [];
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  #resting: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor({ mostHeapMegabytes = usualHeapMegabytes }: { mostHeapMegabytes?: number } = {}) {
    this.#mostHeapMegabytes = mostHeapMegabytes;
  }

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
    await Promise.all([...this.#all].map(end));
  }

  #startNext(): void {
    clearTimeout(this.#resting);
    while (this.#waiting.length > 0 && !this.#isOver) {
      const child = this.#takeIdle() ?? this.#startProcess();
      if (!child) return;
      void this.#execute(this.#waiting.shift()!, child);
    }
    if (this.#idle.length === this.#all.size) this.#resting = setTimeout(() => this.#endIdle(), idleLimitMs).unref();
  }

  /** One that somebody has ended meanwhile is passed over. */
  #takeIdle(): ChildProcess | null {
    for (let child = this.#idle.pop(); child; child = this.#idle.pop()) {
      if (child.connected) return child;
      this.#all.delete(child);
    }
    return null;
  }

  #startProcess(): ChildProcess | null {
    if (this.#all.size >= mostProcesses) return null;
    const child = fork(fileURLToPath(new URL('./derivation-process.ts', import.meta.url)), {
      execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${this.#mostHeapMegabytes}`],
      serialization: 'advanced',
      // What V8 says of a full heap is no news: the Snapshot is refused.
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    child.on('error', () => undefined); // its end reports it
    this.#all.add(child);
    return child;
  }

  async #execute(order: Order, child: ChildProcess): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<Derivation[]>();
    const fail = (code: number | null, killedBy: string | null) =>
      reject(new Error(`The process that read it ended (${killedBy ?? code}): it may take too much memory`));
    const late = setTimeout(
      () => reject(new Error(`It takes more than ${derivationLimitMs / 1000} s`)),
      derivationLimitMs,
    );
    // The Controller waits for the answer.
    child.ref();
    child.channel?.ref();
    child.once('message', resolve).once('exit', fail);
    child.send(order.snapshots, (error) => error && reject(error));
    try {
      order.done.resolve(await promise);
      child.off('message', resolve).off('exit', fail);
      child.unref();
      child.channel?.unref();
      this.#idle.push(child);
    } catch (error) {
      this.#all.delete(child);
      await end(child);
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
    for (const child of this.#idle.splice(0)) {
      this.#all.delete(child);
      void end(child);
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
