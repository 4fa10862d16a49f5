import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kernelTools } from '#cli/test/prepare-references.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { findRealTimePrefix } from '#testbed/namespaces/place-process.ts';
import { findMissingTools, pathWithTools } from '#testbed/namespaces/require-tools.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';

/** Whether this machine can boot that kernel; `./http-ae test` says so where it cannot. */
export const hasKernel = findMissingTools(pathWithTools(process.env), kernelTools).length === 0;

/**
 * Runs a bash script in a Linux of its own, Debian's User-Mode Linux, which has netem and every TCP variant as modules, with the files of
 * this machine; what it changes there is gone with it. The script may write files to /out: those are returned by name. Throws with
 * the script's output when it fails, or does not end within `timeoutMs`.
 */
export async function runInKernel(
  script: string,
  resultFiles: string[],
  { timeoutMs = 240_000 } = {},
): Promise<Record<string, string>> {
  await using folder = await makeTemporaryFolder();
  const inFolder = (name: string) => path.join(folder.path, name);
  await runTool(
    'cc',
    '-O2',
    '-shared',
    '-fPIC',
    '-Wl,-z,now',
    '-o',
    inFolder('whole-xstate.so'),
    path.join(import.meta.dirname, 'whole-xstate.c'),
  );
  await writeFile(
    inFolder('job'),
    `export PATH=${path.dirname(process.execPath)}:$PATH\ncd ${path.resolve(import.meta.dirname, '../../../..')}\nset -e\n${script}\n`,
  );

  const kernel = [
    'mem=1G',
    'root=/dev/root',
    'rootfstype=hostfs',
    'rootflags=/',
    'ro',
    `init=${path.join(import.meta.dirname, 'init.sh')}`,
    'con=null',
    'con0=null',
    'quiet',
  ];
  // Ahead of ordinary processes where that is allowed: a kernel that waits for a CPU stops the clocks of all that run in it. And on one CPU: the
  // processes that make up this kernel hand each other every system call, which takes three times as long from CPU to CPU.
  const [program, ...words] = [
    ...(await findRealTimePrefix()),
    'taskset',
    '--cpu-list',
    await findLastCpu(),
    'linux.uml',
    ...kernel,
  ] as [string, ...string[]];
  const child = spawn(program, [...words, `JOB=${inFolder('job')}`, `OUT=${folder.path}`], {
    // It keeps its memory in a file under TMPDIR and its sockets under HOME.
    env: {
      PATH: process.env.PATH,
      HOME: folder.path,
      TMPDIR: '/dev/shm',
      LD_PRELOAD: inFolder('whole-xstate.so'),
      LD_BIND_NOW: '1',
    },
    stdio: 'ignore',
    detached: true,
  });
  const ended = new AbortController();
  const deadline = AbortSignal.timeout(timeoutMs);
  deadline.addEventListener('abort', () => process.kill(-child.pid!, 'SIGKILL'), { signal: ended.signal });
  await once(child, 'exit');
  ended.abort();
  const exitStatus = (await readIfThere(inFolder('exit-status')))?.trim();
  const end = deadline.aborted ? `was ended after ${timeoutMs} ms` : `ended with ${exitStatus ?? 'the kernel'}`;
  if (exitStatus !== '0')
    throw new Error(`The script in the kernel ${end}:\n${(await readIfThere(inFolder('log'))) ?? 'it said nothing'}`);
  return Object.fromEntries(
    await Promise.all(resultFiles.map(async (name) => [name, await readFile(inFolder(name), 'utf8')] as const)),
  );
}

/** Of the CPUs that this process may use. */
async function findLastCpu(): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8');
  return /^Cpus_allowed_list:.*?(\d+)$/m.exec(status)![1]!;
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
