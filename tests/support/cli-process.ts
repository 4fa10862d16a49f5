import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const main = path.resolve(import.meta.dirname, '../../cli/main.ts');

/** `http-ae ARGS`, or another program of Node with these, as a process that is left to run; all that it prints is kept. Disposing of it stops it in an orderly way. */
export class CliProcess implements AsyncDisposable {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor(args: string[], environment: Record<string, string>, program = main) {
    this.child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#closed = once(this.child, 'close');
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Resolves with the first whole line of standard output; rejects with standard error when the process ends before. */
  async firstLine(): Promise<string> {
    const ended = this.#closed.then(() =>
      Promise.reject(new Error(`It ended before it said anything: ${this.stderr}`)),
    );
    ended.catch(() => undefined); // looked at only while the line is awaited
    while (!this.stdout.includes('\n')) await Promise.race([once(this.child.stdout!, 'data'), ended]);
    return this.stdout.split('\n')[0]!;
  }

  /** Resolves with its exit status, when it ends by itself; null when a signal ended it. */
  async untilEnded(): Promise<number | null> {
    await this.#closed;
    return this.child.exitCode;
  }

  async kill(signalName: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signalName);
    await this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill('SIGTERM');
  }
}
