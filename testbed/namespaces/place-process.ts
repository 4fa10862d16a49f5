import { spawn, type ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { NodePlace, Place } from './namespace-name.ts';
import { findRealTimePrefix } from './real-time.ts';
import type { TestbedNetwork } from './testbed-network.ts';

export interface PlaceProcessOptions<Answer> {
  network: TestbedNetwork;
  place: Place | NodePlace;
  /** A TypeScript file that serves orders (`serveOrders`). */
  program: string;
  args?: string[];
  answerSchema: z.ZodType<Answer>;
  /** What it is, for messages. */
  name: string;
  /** It is as any other process, not ahead of them. */
  isOrdinary?: boolean;
}

const AnswerFrameSchema = z.object({ order: z.number(), answer: z.unknown() });

const startWithinMs = 20_000;
const keptErrorCharacters = 2_000;

/** Starts a Node program in a place, ahead of ordinary processes where that is allowed and wanted, and waits until it serves. Throws `testbed-failed`. */
export async function startPlaceProcess<Order, Answer>(
  options: PlaceProcessOptions<Answer>,
): Promise<PlaceProcess<Order, Answer>> {
  const { network, place, program, args = [], isOrdinary = false } = options;
  const [file, ...words] = [
    ...network.enter(place),
    ...(isOrdinary ? [] : await findRealTimePrefix()),
    process.execPath,
    program,
    ...args,
  ] as [string, ...string[]];
  const started = new PlaceProcess<Order, Answer>(
    spawn(file, words, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
    options,
  );
  try {
    await started.serving;
    return started;
  } catch (error) {
    await started[Symbol.asyncDispose]();
    throw error;
  }
}

/** A process in a place that is given orders and answers each. It ends with this process, however that ends. */
export class PlaceProcess<Order, Answer> implements AsyncDisposable {
  /** Aborts, with an AppError, when the process ended without an order. */
  readonly failed: AbortSignal;
  readonly serving: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #answerSchema: z.ZodType<Answer>;
  readonly #closed: Promise<unknown>;
  readonly #failing = new AbortController();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastOrder = 0;
  #errors = '';
  #isClosing = false;

  constructor(child: ChildProcess, { name, answerSchema }: Pick<PlaceProcessOptions<Answer>, 'name' | 'answerSchema'>) {
    this.#child = child;
    this.#name = name;
    this.#answerSchema = answerSchema;
    this.failed = this.#failing.signal;
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    child
      .stderr!.setEncoding('utf8')
      .on('data', (text: string) => (this.#errors = (this.#errors + text).slice(-keptErrorCharacters)));
    child.on('message', (message) => {
      const { order, answer } = AnswerFrameSchema.parse(message);
      this.#waiting.get(order)?.resolve(answer);
    });
    child.on('error', (error) => this.#fail(error.message));
    child.on('close', (exitCode, signalName) => this.#fail(signalName ?? `exit status ${exitCode}`));
    this.serving = this.#answerTo(0, startWithinMs);
  }

  /** Throws `testbed-failed` when there is no answer within that time. */
  async ask(order: Order, withinMs: number): Promise<Answer> {
    this.failed.throwIfAborted();
    const number = ++this.#lastOrder;
    this.#child.send({ order: number, content: order }, (error) => error && this.#fail(error.message));
    return this.#answerSchema.parse(await this.#answerTo(number, withinMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    this.#child.kill('SIGKILL'); // it holds nothing that outlives it
    await this.#closed;
  }

  async #answerTo(order: number, withinMs: number): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(order, waiting);
    const late = () =>
      waiting.reject(
        new AppError(
          'testbed-failed',
          `${this.#name} did not answer within ${withinMs / 1000} s: the machine is too busy, or the process hangs`,
        ),
      );
    const timer = setTimeout(late, withinMs);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(order);
    }
  }

  #fail(reason: string): void {
    if (this.#isClosing || this.failed.aborted) return;
    const error = new AppError(
      'testbed-failed',
      `${this.#name} ended (${reason})${this.#errors ? `: ${this.#errors.trim()}` : ''}`,
    );
    this.#failing.abort(error);
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
