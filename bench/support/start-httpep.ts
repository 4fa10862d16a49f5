import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const main = path.join(import.meta.dirname, '../../cli/main.ts');
const ListeningSchema = z.object({ port: z.number() });
/** Of the kernel's clock for CPU time, as /proc reports it: USER_HZ, 100 on every Linux of today. */
const tickMs = 10;

/** Both ends of HTTPEP on this machine, each a process, without a limit of rate. */
export async function startHttpep(groundOptions: readonly string[]) {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(await makeTemporaryFolder());
  const key = path.join(folder.path, 'key');
  await writeFile(key, 'the key of both ends of this benchmark', { mode: 0o600 });
  const start = async (words: readonly string[]) => {
    const child = spawn(process.execPath, [main, 'pep', ...words, '--key', key, '--listen', '127.0.0.1:0', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    starting.defer(() => end(child));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { pid: child.pid!, port: ListeningSchema.parse(JSON.parse(line)).port };
  };
  const ground = await start(['ground', '--allow-private', ...groundOptions]);
  const remote = await start(['remote', '--ground', `127.0.0.1:${ground.port}`]);
  const resources = starting.move();
  return {
    port: remote.port,
    /** CPU time of each end since its start. */
    readCpuMs: () => ({ ground: readCpuMs(ground.pid), remote: readCpuMs(remote.pid) }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function readCpuMs(pid: number): number {
  const statistics = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [userTicks, systemTicks] = statistics
    .slice(statistics.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return tickMs * (Number(userTicks) + Number(systemTicks));
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
