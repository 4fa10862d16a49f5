import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Ends with the process that started it, however that ends. */
const restless =
  'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++) Math.sqrt(i)';

/** As many processes as there are CPUs, which never rest, until disposed of. */
export function keepCpusBusy(): AsyncDisposable {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', restless], { stdio: 'ignore' }),
  );
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
