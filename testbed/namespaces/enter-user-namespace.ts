import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readProcess, type Owner } from './namespace-name.ts';
import { runTool, ToolError } from './run-tool.ts';

/** Set, in the environment of processes in a user namespace, to the id of the one that is at its head. */
export const userNamespaceMark = 'HTTP_AE_USER_NAMESPACE';

const unshare = ['unshare', '--user', '--map-root-user', '--net', '--mount', '--'] as const;

/** `ip netns` keeps its names under /run, which is the namespace's own then. The command will be the same process as this shell. */
const prepare = `mount -t tmpfs tmpfs /run && ip link set lo up && export ${userNamespaceMark}=$$ && exec "$@"`;

/** The words before a command that let it be root in namespaces of its own, for which nobody need be root. All that it makes goes with it. */
export const userNamespacePrefix = [...unshare, 'sh', '-ec', prepare, 'sh'] as const;

/** The words before a command of somebody else's that let it run `ip netns` and `nsenter` as this process does. */
export function joinUserNamespace(): string[] {
  return process.env[userNamespaceMark] === undefined
    ? ['sudo']
    : ['nsenter', `--target=${process.pid}`, '--user', '--mount', '--preserve-credentials'];
}

/** Whether this process is the one that a user namespace of ours was made for. */
export function isHeadOfUserNamespace(): boolean {
  return process.env[userNamespaceMark] === `${process.pid}`;
}

/** Whether this process is in none of ours yet and may make one. */
export async function mayEnterUserNamespace(): Promise<boolean> {
  return process.env[userNamespaceMark] === undefined && (await isAllowed());
}

/**
 * Starts this process again in a user namespace, with the same arguments; where that is not allowed, or it is in one already, does
 * nothing. Only before anything was opened: the process is replaced.
 */
export async function enterUserNamespace(): Promise<void> {
  if (!(await mayEnterUserNamespace())) return;
  const command = [...userNamespacePrefix, process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve!('/usr/bin/env', ['env', ...command], environment()); // env finds it in PATH
}

async function isAllowed(): Promise<boolean> {
  try {
    await runTool(...userNamespacePrefix, 'true');
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A process of this user that started itself again in a user namespace. */
interface RootlessProcess extends Owner {
  /** The words of its command line. */
  command: string[];
}

/**
 * The processes of this user that are at the head of a user namespace of theirs. The namespaces of a rootless testbed have no names outside of it, but its process is seen: so
 * there is no record of it that could outlive it.
 */
export function listRootless(): RootlessProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      if (statSync(`/proc/${pid}`).uid !== process.getuid!()) return [];
      // Of the environment that it began with, which its children have from it too: in these the mark names another process.
      if (!readWords(pid, 'environ').includes(`${userNamespaceMark}=${pid}`)) return [];
      const found = readProcess(pid);
      return found ? [{ ...found, command: readWords(pid, 'cmdline') }] : [];
    } catch (error) {
      if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return []; // it is gone, or not to be looked into
      throw error;
    }
  });
}

function readWords(pid: number, file: 'environ' | 'cmdline'): string[] {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
}
