import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { parseNamespace, type NamespaceName } from './namespace-name.ts';
import { removeUnlessGone, runTool, ToolError } from './run-tool.ts';

/** Where `ip netns` keeps its names. */
const namespacesFolder = '/run/netns';

/** The namespaces of all testbeds on this machine. */
export function listNamespaces(): (NamespaceName & { name: string })[] {
  if (!existsSync(namespacesFolder)) return [];
  return readdirSync(namespacesFolder).flatMap((name) => {
    const parsed = parseNamespace(name);
    return parsed ? [{ ...parsed, name }] : [];
  });
}

/** The words before a command that let it run in a namespace, as the same process. */
export function enterNamespace(name: string): [string, ...string[]] {
  return ['nsenter', `--net=${namespacesFolder}/${name}`, '--'];
}

/** The management link's end in a namespace. */
export const managementInterface = 'mgmt0';

const endWithinMs = 5_000;
const pollMs = 10;

/** Ends every process in a namespace and removes it. Its interfaces, rules and settings go with it. No fault if it is gone already, or if another process removes it at the same time. */
export async function removeNamespace(name: string): Promise<void> {
  if (!existsSync(`${namespacesFolder}/${name}`)) return;
  await endProcesses(name);
  // The kernel takes a namespace's interfaces away some time after it; the machine's end of this one is to be gone at once.
  await removeUnlessGone(/Cannot find device|Invalid argument|No such file|Cannot open network namespace/, [
    'ip',
    '-n',
    name,
    'link',
    'delete',
    managementInterface,
  ]);
  await removeUnlessGone(/No such file/, ['ip', 'netns', 'delete', name]);
}

async function endProcesses(name: string): Promise<void> {
  const deadlineMs = performance.now() + endWithinMs;
  for (;;) {
    const pids = await listProcesses(name);
    if (pids.length === 0) return;
    if (performance.now() > deadlineMs) {
      throw new AppError(
        'testbed-failed',
        `Processes ${pids.join(', ')} in the namespace ${name} do not end: see the kernel's log for the reason`,
      );
    }
    pids.forEach(kill);
    await pause(pollMs);
  }
}

async function listProcesses(name: string): Promise<number[]> {
  try {
    return (await runTool('ip', 'netns', 'pids', name)).split('\n').filter(Boolean).map(Number);
  } catch (error) {
    // A name without a namespace behind it has no processes.
    if (error instanceof ToolError && /Invalid argument|No such file/.test(error.stderr)) return [];
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
