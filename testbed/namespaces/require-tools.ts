import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import { formatNamespace, readOwnProcess } from './namespace-name.ts';
import { removeNamespace } from './network-namespaces.ts';
import { runTool, ToolError } from './run-tool.ts';

/** The programs that the testbed runs, and Debian's package of each. */
export const toolPackages: Record<string, string> = {
  ip: 'iproute2',
  tc: 'iproute2',
  ethtool: 'ethtool',
  iptables: 'iptables',
  nsenter: 'util-linux',
  unshare: 'util-linux',
};

/** Where tools for administrators are, on machines on which they are not in everybody's PATH. */
const administratorFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

/** PATH with those folders, so that an ordinary user finds `ip` and `ethtool` too. */
export function pathWithTools(environment: NodeJS.ProcessEnv): string {
  return [...(environment.PATH ?? '').split(path.delimiter).filter(Boolean), ...administratorFolders].join(
    path.delimiter,
  );
}

export function findMissingTools(
  searchPath: string,
  packages: Readonly<Record<string, string>> = toolPackages,
): string[] {
  const folders = searchPath.split(path.delimiter);
  return Object.keys(packages).filter((tool) => !folders.some((folder) => isExecutable(path.join(folder, tool))));
}

/** Throws `testbed-refused` that names what is missing and the package that brings it. */
export function requireTools(searchPath: string): void {
  const missing = findMissingTools(searchPath);
  if (missing.length === 0) return;
  throw new AppError(
    'testbed-refused',
    `The testbed needs ${missing.map((tool) => `\`${tool}\``).join(', ')}, which is not installed: install ${packagesOf(missing).join(' ')} (Debian, Ubuntu: sudo apt-get install ${packagesOf(missing).join(' ')})`,
  );
}

export function packagesOf(tools: string[]): string[] {
  return [...new Set(tools.map((tool) => toolPackages[tool]!))];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let lastSerial = 0;

/** Tries a namespace, and throws `testbed-refused` where that is not allowed. */
export async function refuseUnprivileged(): Promise<void> {
  const obstacle = await findObstacle();
  if (obstacle === null) return;
  throw new AppError(
    'testbed-refused',
    `This process may not create network namespaces (${obstacle}). Run it as root (sudo), or allow user namespaces. Debian: sudo sysctl kernel.unprivileged_userns_clone=1. Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. In a container: --privileged`,
  );
}

/** What the system said when a namespace was tried; null when it is allowed. */
export async function findObstacle(): Promise<string | null> {
  const scratch = formatNamespace({ owner: readOwnProcess(), serial: nextSerial(), place: 'satellite' });
  try {
    await runTool('ip', 'netns', 'add', scratch);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.stderr.split('\n')[0]!;
  } finally {
    await removeNamespace(scratch);
  }
}

/** Distinguishes the testbeds of one process, which may be opened side by side. */
export function nextSerial(): number {
  return ++lastSerial;
}
