import type { Socket } from 'node:net';
import { drawInstants } from './draw-instants.ts';
import type { TaskOptions } from './task-options.ts';

/** What the origin sends to the page. */
export interface TaskMessage {
  /** From 1. */
  number: number;
  /** When it arose at the origin, on its clock. */
  arisenEpochMs: number;
  payload: string;
}

/** One exchange of messages with one page. */
export class Task implements Disposable {
  readonly options: TaskOptions;
  /** Of each message: when it arises, in ms from the first. */
  readonly instantsMs: readonly number[];
  readonly #readEpochMs: () => number;
  readonly #messages: TaskMessage[] = [];
  readonly #listeners = new Set<() => void>();
  /** With the bytes that each had carried before the task. */
  readonly #sockets = new Map<Socket, number>();
  #timer: NodeJS.Timeout | null = null;
  #isBegun = false;

  constructor(options: TaskOptions, readEpochMs: () => number) {
    this.options = options;
    this.instantsMs = drawInstants(options);
    this.#readEpochMs = readEpochMs;
  }

  /** The page listens: a server update begins. To call it again does nothing more. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    if (this.options.task !== 'server-update') return;
    const startMs = performance.now();
    const sendNext = (): void => {
      this.publish(this.#messages.length + 1);
      const nextMs = this.instantsMs[this.#messages.length];
      if (nextMs !== undefined) this.#timer = setTimeout(sendNext, Math.max(0, startMs + nextMs - performance.now()));
    };
    sendNext();
  }

  /** A message of the origin arises. */
  publish(number: number): void {
    if (this.#messages.length >= this.options.messages) return;
    const payload = 'x'.repeat(this.options.payloadBytes);
    this.#messages.push({ number, arisenEpochMs: this.#readEpochMs(), payload });
    for (const listener of this.#listeners) listener();
  }

  /** Those that arose after the first so many. */
  messagesAfter(count: number): TaskMessage[] {
    return this.#messages.slice(count);
  }

  /** Resolves when there are more messages than so many. Rejects with the signal's reason. */
  async waitForMore(count: number, signal: AbortSignal): Promise<void> {
    while (this.#messages.length <= count) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = () => reject(signal.reason as Error);
      this.#listeners.add(resolve);
      signal.addEventListener('abort', abort, { once: true });
      try {
        signal.throwIfAborted();
        await promise;
      } finally {
        this.#listeners.delete(resolve);
        signal.removeEventListener('abort', abort);
      }
    }
  }

  /** A connection carries the task; of one that is older than the page, what it carried before does not count. */
  noteSocket(socket: Socket, { isNew }: { isNew: boolean }): void {
    if (!this.#sockets.has(socket)) this.#sockets.set(socket, isNew ? 0 : carriedBy(socket));
  }

  /** What this connection has carried until now does not count: readings of the clock are no part of the task. */
  forgetCarried(socket: Socket): void {
    this.#sockets.set(socket, carriedBy(socket));
  }

  /** What the connections carried both ways since they were noted. */
  get bytes(): number {
    return [...this.#sockets].reduce((sum, [socket, before]) => sum + carriedBy(socket) - before, 0);
  }

  [Symbol.dispose](): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#sockets.clear();
  }
}

function carriedBy({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}
