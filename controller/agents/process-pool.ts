import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const idleLimitMs = 300_000;

interface PoolOptions {
  /** What a process runs: it answers each message with one of its own, and ends when the Controller is gone. */
  module: URL;
  mostProcesses: number;
  /** A process that needs more is ended by V8, as a whole: a thread would take the Controller with it. */
  mostHeapMegabytes: number;
  /** Of one order. */
  limitMs: number;
}

interface Waiting<Order, Answer> {
  order: Order;
  done: PromiseWithResolvers<Answer>;
}

/** The process that had the order is gone, or was ended because it took too long. */
export class ProcessLostError extends Error {
  override readonly name = 'ProcessLostError';
}

/**
 * Has work on foreign data done in processes of their own, so that it does not hold up the Controller. The processes are there while they are needed. One that is
 * killed by an order, by its memory or its time, costs that order only.
 */
export class ProcessPool<Order extends object, Answer> implements AsyncDisposable {
  readonly #options: PoolOptions;
  /** By who has them; who had a turn last is last. */
  readonly #waiting = new Map<string, Waiting<Order, Answer>[]>();
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  #resting: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** `whose`: orders of each have their turns, so that many that take long do not hold up those of others. Rejects with a ProcessLostError, and with another error when the Controller shuts down. */
  ask(order: Order, whose = ''): Promise<Answer> {
    if (this.#isOver) return Promise.reject(shutDown());
    const done = Promise.withResolvers<Answer>();
    this.#waiting.set(whose, [...(this.#waiting.get(whose) ?? []), { order, done }]);
    this.#startNext();
    return done.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#resting);
    for (const { done } of [...this.#waiting.values()].flat()) done.reject(shutDown());
    this.#waiting.clear();
    await Promise.all([...this.#all].map(end));
  }

  #startNext(): void {
    clearTimeout(this.#resting);
    for (const [whose, orders] of this.#waiting) {
      if (this.#isOver) return;
      const child = this.#takeIdle() ?? this.#startProcess();
      if (!child) return;
      const [next, ...others] = orders;
      this.#waiting.delete(whose);
      if (others.length > 0) this.#waiting.set(whose, others); // behind all who wait, and comes again here
      void this.#execute(next!, child);
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
    const { module, mostProcesses, mostHeapMegabytes } = this.#options;
    if (this.#all.size >= mostProcesses) return null;
    const child = fork(fileURLToPath(module), {
      execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${mostHeapMegabytes}`],
      serialization: 'advanced',
      // What V8 says of a full heap is no news: the order is refused.
      stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    child.on('error', () => undefined); // its end reports it
    this.#all.add(child);
    return child;
  }

  async #execute({ order, done }: Waiting<Order, Answer>, child: ChildProcess): Promise<void> {
    const { limitMs } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const fail = (code: number | null, killedBy: string | null) =>
      reject(new ProcessLostError(`The process that read it ended (${killedBy ?? code}): it may take too much memory`));
    const late = setTimeout(() => reject(new ProcessLostError(`It takes more than ${limitMs / 1000} s`)), limitMs);
    // The Controller waits for the answer.
    child.ref();
    child.channel?.ref();
    child.once('message', resolve).once('exit', fail);
    child.send(order, (error) => error && reject(new ProcessLostError(error.message, { cause: error })));
    try {
      const answer = await promise;
      child.off('message', resolve).off('exit', fail);
      child.unref();
      child.channel?.unref();
      this.#idle.push(child);
      done.resolve(answer);
    } catch (error) {
      this.#all.delete(child);
      await end(child);
      done.reject(this.#isOver ? shutDown() : (error as Error));
    } finally {
      clearTimeout(late);
    }
    this.#startNext();
  }

  #endIdle(): void {
    for (const child of this.#idle.splice(0)) {
      this.#all.delete(child);
      void end(child);
    }
  }
}

const shutDown = () => new Error('The Controller was shut down');

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.ref(); // else this process may end before, and with it the one who waits
  child.kill('SIGKILL');
  await ended;
}
