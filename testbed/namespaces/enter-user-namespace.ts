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
