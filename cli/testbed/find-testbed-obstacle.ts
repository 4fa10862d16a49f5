import { AppError } from '#core/app-error.ts';
import {
  findMissingTools,
  packagesOf,
  pathWithTools,
  requireTools,
  refuseUnprivileged,
} from '#testbed/namespaces/require-tools.ts';
import { tryInstallPackages } from '../install-packages.ts';

/** Why this process cannot have a testbed, if so. Brings the tools that are missing where it may. */
export async function findTestbedObstacle(options: {
  say: (line: string) => void;
  signal: AbortSignal;
}): Promise<string | null> {
  if (process.platform !== 'linux') return 'the testbed needs Linux';
  try {
    await prepareTools(options);
    await refuseUnprivileged();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'testbed-refused') return error.message;
    throw error;
  }
}

/** Finds the tools that the testbed runs; installs those that are missing when this is root on a Debian. Throws `testbed-refused`. */
export async function prepareTools(progress: { say: (line: string) => void; signal: AbortSignal }): Promise<void> {
  process.env.PATH = pathWithTools(process.env);
  const missing = findMissingTools(process.env.PATH);
  if (missing.length > 0) await tryInstallPackages(packagesOf(missing), progress);
  requireTools(process.env.PATH);
}
