import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** As many processes as there are CPUs, which never rest, until disposed of. */
export function keepCpusBusy(): AsyncDisposable {
  const children = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;) Math.sqrt(2)'], { stdio: 'ignore' }));
  return {
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
    },
  };
}
