import { AppError } from '#core/app-error.ts';
import { formatNamespace, readOwnProcess } from './namespace-name.ts';
import { removeNamespace } from './network-namespaces.ts';
import { runTool, ToolError } from './run-tool.ts';

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
