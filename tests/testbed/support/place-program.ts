import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A TypeScript file of this folder as a process in a namespace, with what it prints. Disposing of it kills it. */
export class PlaceProgram implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #closed: Promise<unknown>;

  constructor(enter: readonly string[], ...[file, ...args]: [string, ...string[]]) {
    const [program, ...words] = [...enter, process.execPath, path.join(import.meta.dirname, file), ...args];
    this.child = spawn(program!, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#closed = once(this.child, 'close');
    this.#lines = createInterface(this.child.stdout!)[Symbol.asyncIterator]();
  }

  async readLine(): Promise<string> {
    const line = await this.#lines.next();
    if (line.done) throw new Error('It ended without a further line; standard error has its words');
    return line.value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#closed;
  }
}
