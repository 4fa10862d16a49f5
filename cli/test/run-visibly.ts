import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageRoot } from '../package-root.ts';

export interface VisibleRun {
  environment: NodeJS.ProcessEnv;
  /** The descriptor that its standard output goes to: 1, or 2 where standard output is kept for a JSON document. */
  outputDescriptor: 1 | 2;
  signal: AbortSignal;
}

const endWithinMs = 10_000;

/** Runs a Node program in the package's folder, its output shown as it comes. Returns its exit status, null after a signal. */
export async function runVisibly(
  command: string[],
  { environment, outputDescriptor, signal }: VisibleRun,
): Promise<number | null> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, command, {
    cwd: packageRoot,
    env: environment,
    stdio: ['ignore', outputDescriptor, 2],
  });
  let overdue: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    overdue = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    signal.throwIfAborted();
    return exitCode;
  } finally {
    clearTimeout(overdue);
    signal.removeEventListener('abort', end);
  }
}
