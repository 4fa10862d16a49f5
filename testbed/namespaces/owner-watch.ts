import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { Owner } from './namespace-name.ts';

/** Waits for a line, or for the end of the process that could write one. A shell waits in a megabyte of memory, Node in fifty. */
const waitThenRun = 'trap "" HUP INT TERM; read -r line && exit 0; exec "$@"';

/**
 * Removes the testbeds of this process when it is gone, also after `kill -9`, which leaves it no time to. The kernel closes its end of a pipe then. The watch
 * is in a session of its own: what ends the whole group of a terminal does not end it.
 */
export class OwnerWatch implements Disposable {
  readonly #input: Socket;

  constructor({ pid, startTicks }: Owner) {
    const program = path.join(import.meta.dirname, 'remove-after-owner.ts');
    const words = [process.execPath, '--disable-warning=ExperimentalWarning', program, `${pid}`, `${startTicks}`];
    const watch = spawn('/bin/sh', ['-c', waitThenRun, 'sh', ...words], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#input = watch.stdin as Socket;
    // Without it, the next start removes them.
    watch.on('error', () => undefined);
    this.#input.on('error', () => undefined);
    watch.unref();
    this.#input.unref();
  }

  /** All was removed: there is nothing to do when this process ends. */
  [Symbol.dispose](): void {
    this.#input.end('\n');
  }
}
