import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import type { Enter } from '../namespaces/run-tool.ts';

/** It ends with this process, even after `kill -9`. */
const endWithParent = ['setpriv', '--pdeathsig', 'KILL', '--'] as const;
const keptCharacters = 8_000;
const pollMs = 10;
const readyWithinMs = 10_000;

/** A program at one end of a tunnel. It takes its interface with it, however it ends. */
export class TunnelProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #closed: Promise<unknown>;
  #output = '';
  #end: string | null = null;

  /** `input`: its standard input, such as keys, which are in no file and on no command line. */
  constructor(enter: Enter, command: readonly string[], { name, input = '' }: { name: string; input?: string }) {
    const [program, ...words] = [...endWithParent, ...enter, ...command];
    this.#name = name;
    this.#child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', (exitCode, signalName) => {
        this.#end ??= signalName ?? `exit status ${exitCode}`;
        resolve(null);
      });
    });
    this.#child.on('error', (error) => (this.#end = error.message));
    this.#child.stdin!.on('error', () => undefined); // one that ends before it has read all says why
    this.#child.stdin!.end(input);
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-keptCharacters);
      });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get output(): string {
    return this.#output;
  }

  /** Why it runs no more; null while it does. */
  explainEnd(): string | null {
    if (this.#end === null) return null;
    const last = this.#output.trim().split('\n').slice(-3).join(' | ');
    return `${this.#name} ended (${this.#end})${last ? `: ${last}` : ''}`;
  }

  /** Throws `testbed-failed` when it ends before, or takes too long. */
  async until(isReady: () => Promise<boolean> | boolean): Promise<void> {
    const deadlineMs = performance.now() + readyWithinMs;
    for (;;) {
      const end = this.explainEnd();
      if (end !== null) throw new AppError('testbed-failed', end);
      if (await isReady()) return;
      if (performance.now() > deadlineMs)
        throw new AppError(
          'testbed-failed',
          `${this.#name} was not ready within ${readyWithinMs / 1000} s: ${this.#output.trim().split('\n').slice(-3).join(' | ')}`,
        );
      await pause(pollMs);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }
}
