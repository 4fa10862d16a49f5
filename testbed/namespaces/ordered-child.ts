import type { ChildProcess } from 'node:child_process';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { readProcessStat } from './process-stat.ts';

const AnswerFrameSchema = z.object({ order: z.number(), answer: z.unknown() });

const startWithinMs = 20_000;
const keptErrorCharacters = 2_000;

/** A child that serves orders (`serveOrders`). One that does not answer in time is ended. */
export class OrderedChild {
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
