import { spawn, type ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { readProcessStat, type HostsPlace, type NodePlace, type Place } from './namespace-name.ts';
import type { TestbedNetwork } from './testbed-network.ts';
import { availableParallelism } from 'node:os';
import { runTool, ToolError } from './run-tool.ts';

export interface PlaceProcessOptions<Answer> {
  network: TestbedNetwork;
  place: Place | NodePlace | HostsPlace;
  /** A TypeScript file that serves orders (`serveOrders`). */
  program: string;
  args?: string[];
  answerSchema: z.ZodType<Answer>;
  /** What it is, for messages. */
  name: string;
  /** It is as any other process, not ahead of them. */
  isOrdinary?: boolean;
}

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
    () => spawn(file, words, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
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

/** A process in a place that is given orders and answers each. It ends with this process, however that ends. Where one did not answer, the next order starts another. */
export class PlaceProcess<Order, Answer> implements AsyncDisposable {
  /** Aborts, with an AppError, when the process ended without an order. */
  readonly failed: AbortSignal;
  readonly #spawn: () => ChildProcess;
  readonly #name: string;
  readonly #answerSchema: z.ZodType<Answer>;
  readonly #failing = new AbortController();
  #child: OrderedChild;
  #restart: Promise<void> | null = null;
  #isDisposed = false;

  constructor(
    spawnChild: () => ChildProcess,
    { name, answerSchema }: Pick<PlaceProcessOptions<Answer>, 'name' | 'answerSchema'>,
  ) {
    this.#spawn = spawnChild;
    this.#name = name;
    this.#answerSchema = answerSchema;
    this.failed = this.#failing.signal;
    this.#child = this.#start();
  }

  /** Settles when it can be given orders, or cannot be. */
  get serving(): Promise<unknown> {
    return this.#child.serving;
  }

  /** Throws `testbed-failed` when there is no answer within that time. */
  async ask(order: Order, withinMs: number): Promise<Answer> {
    this.failed.throwIfAborted();
    if (this.#isDisposed) throw new Error(`${this.#name} was ended`);
    if (this.#child.isEnded || this.#restart) await (this.#restart ??= this.#startAnother());
    return this.#answerSchema.parse(await this.#child.ask(order, withinMs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#restart?.catch(() => undefined); // the caller of ask gets the error
    this.#child.end();
    await this.#child.closed;
  }

  #start(): OrderedChild {
    const onFailure = (error: Error) => this.#failing.abort(error);
    return new OrderedChild(this.#spawn(), { name: this.#name, onFailure });
  }

  /** What it bound is free only when the one before is gone. */
  async #startAnother(): Promise<void> {
    try {
      await this.#child.closed;
      this.#child = this.#start();
      await this.#child.serving;
    } finally {
      this.#restart = null;
    }
  }
}

/**
 * The words before a command that let it run before all ordinary processes, where the machine allows that; none elsewhere. What keeps time for others must
 * not wait for a CPU that they keep busy. They take turns (SCHED_RR), so that one that never sleeps does not keep the others waiting, such as those of another testbed.
 * On a single CPU it would keep the kernel's own threads waiting, which move packets too.
 */
export async function findRealTimePrefix(): Promise<string[]> {
  const prefix = ['chrt', '--rr', '50'] as const;
  if (availableParallelism() === 1) return [];
  try {
    await runTool(...prefix, 'true');
    return [...prefix];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [];
  }
}

const AnswerFrameSchema = z.object({ order: z.number(), answer: z.unknown() });

const startWithinMs = 20_000;
const keptErrorCharacters = 2_000;

/** A child that serves orders (`serveOrders`). One that does not answer in time is ended. */
class OrderedChild {
  /** Settles when it can be given orders, or cannot be. */
  readonly serving: Promise<unknown>;
  readonly closed: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #onFailure: (error: AppError) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastOrder = 0;
  #errors = '';
  #isEnded = false;

  /** `onFailure`: it ended, and nothing here ended it. */
  constructor(child: ChildProcess, { name, onFailure }: { name: string; onFailure: (error: AppError) => void }) {
    this.#child = child;
    this.#name = name;
    this.#onFailure = onFailure;
    this.closed = new Promise((resolve) => child.once('close', resolve));
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

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Throws `testbed-failed` when there is no answer within that time. */
  ask(order: unknown, withinMs: number): Promise<unknown> {
    const number = ++this.#lastOrder;
    this.#child.send({ order: number, content: order }, (error) => error && this.#fail(error.message));
    return this.#answerTo(number, withinMs);
  }

  end(): void {
    this.#isEnded = true;
    this.#child.kill('SIGKILL'); // it holds nothing that outlives it
  }

  async #answerTo(order: number, withinMs: number): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(order, waiting);
    const startCpuSeconds = this.#readCpuSeconds();
    const timer = setTimeout(() => this.#endLate(withinMs, this.#readCpuSeconds() - startCpuSeconds), withinMs);
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(order);
    }
  }

  #endLate(withinMs: number, cpuSeconds: number): void {
    const error = new AppError(
      'testbed-failed',
      `${this.#name} did not answer within ${withinMs / 1000} s, of which it ran for ${cpuSeconds.toFixed(1)} s. It is started again. If it ran for little, the machine is too busy`,
    );
    this.end();
    this.#rejectAll(error);
  }

  /** 0 when there is no such process any more. */
  #readCpuSeconds(): number {
    const { pid } = this.#child;
    return (pid === undefined ? null : readProcessStat(pid))?.cpuSeconds ?? 0;
  }

  #fail(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const error = new AppError(
      'testbed-failed',
      `${this.#name} ended (${reason})${this.#errors ? `: ${this.#errors.trim()}` : ''}`,
    );
    this.#onFailure(error);
    this.#rejectAll(error);
  }

  #rejectAll(error: AppError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
  }
}
