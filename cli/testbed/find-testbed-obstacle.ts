import { AppError } from '#core/app-error.ts';
import { refuseUnprivileged } from '#testbed/namespaces/refuse-unprivileged.ts';
import { prepareTools } from './prepare-tools.ts';

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
