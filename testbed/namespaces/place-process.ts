import { spawn, type ChildProcess } from 'node:child_process';
import type { z } from 'zod';
import type { HostsPlace, NodePlace, Place } from './namespace-name.ts';
import { OrderedChild } from './ordered-child.ts';
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
