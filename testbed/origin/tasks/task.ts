import type { Socket } from 'node:net';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { taskBounds, taskNames, techniques } from '#core/evaluation/pages/real-time-task.ts';
import { wholeNumber } from '#core/evaluation/units.ts';

const numberIn = ({ min, max }: { min: number; max: number }, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(wholeNumber({ min, max }))
    .default(fallback);

const TaskOptionsSchema = z.object({
  task: z.enum(taskNames),
  by: z.enum(techniques, { error: `must be one of ${techniques.join(', ')}` }),
  messages: numberIn(taskBounds.messages, 100),
  payloadBytes: numberIn(taskBounds.payloadBytes, 100),
  gapMs: numberIn(taskBounds.gapMs, 200),
  /** A message that takes longer is late. A second is about how long people wait without noticing that they do (Nielsen 1993, chapter 5). */
  lateAfterMs: numberIn(taskBounds.lateAfterMs, 1000),
});

export type TaskOptions = z.output<typeof TaskOptionsSchema>;

const steps = 1000;

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

/**
 * When each message of a task arises, in ms from the first: gaps are drawn evenly between half and one and a half times the mean, so that they keep no
 * step with round trips. The same in every Visit.
 */
export function drawInstants({ messages, gapMs }: { messages: number; gapMs: number }): number[] {
  const generator = xoroshiro128plus(1);
  let atMs = 0;
  return Array.from({ length: messages }, (_, index) => {
    if (index > 0) atMs += gapMs * (0.5 + uniformInt(generator, 0, steps) / steps);
    return atMs;
  });
}

/** Throws `invalid-input` that names each parameter and what is wrong with it. */
export function readTaskOptions(task: string, search: URLSearchParams): TaskOptions {
  const result = TaskOptionsSchema.safeParse({ ...Object.fromEntries(search), task });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new AppError('invalid-input', `The task is invalid: ${faults.join('; ')}`);
}

const PageMessageSchema = z.object({
  number: z.number().int().min(1).max(taskBounds.messages.max),
  payload: z.string().max(taskBounds.payloadBytes.max),
});

/** With room for what is around the payload. */
export function largestMessageBytes({ options }: Task): number {
  return options.payloadBytes + 1000;
}

/** A message of the page: a chat answers it. Gives its number. Throws `invalid-input`. */
export function takeMessage(task: Task, text: string): number {
  const message = PageMessageSchema.safeParse(parse(text));
  if (!message.success) throw new AppError('invalid-input', 'A message must be {"number": 1, "payload": "…"}');
  const { number } = message.data;
  if (task.options.task === 'chat') task.publish(number);
  return number;
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
