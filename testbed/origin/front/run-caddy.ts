import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { AppError } from '#core/app-error.ts';
import { findMissingTools, pathWithTools } from '../../namespaces/require-tools.ts';

export const frontTools = { caddy: 'caddy' } as const;

export interface Caddy {
  /** Aborts, with an AppError, when it ended by itself. */
  failed: AbortSignal;
  close(): Promise<void>;
}

const startWithinMs = 20_000;

/** What it says once it listens. */
const startedMessage = 'serving initial configuration';

/** Runs Caddy until it is closed or this process ends, however that ends. Throws `testbed-failed` when it does not start, or is not installed. */
export async function runCaddy(configuration: object): Promise<Caddy> {
  const searchPath = pathWithTools(process.env);
  if (findMissingTools(searchPath, frontTools).length > 0) {
    throw new AppError(
      'testbed-failed',
      'HTTP/3 needs the program `caddy`, which is not installed: install it (Debian, Ubuntu: sudo apt-get install caddy), or leave HTTP/3 out',
    );
  }
  const endWithParent =
    findMissingTools(searchPath, { setpriv: 'util-linux' }).length === 0
      ? ['setpriv', '--pdeathsig', 'KILL', '--']
      : [];
  const [program, ...args] = [...endWithParent, 'caddy', 'run', '--config', '-'];
  const child = spawn(program, args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    // Libraries of it would make folders in a home.
    env: { PATH: searchPath, HOME: '/dev/null', XDG_DATA_HOME: '/dev/null', XDG_CONFIG_HOME: '/dev/null' },
  });
  const exited = once(child, 'exit');
  const started = Promise.withResolvers<undefined>();
  let lastError = '';
  // All that it says is read, lest it waits.
  createInterface(child.stderr).on('line', (line) => {
    if (line.includes(startedMessage)) started.resolve(undefined);
    if (/error/i.test(line)) lastError = line.slice(0, 1000);
  });
  const failing = new AbortController();
  let isClosing = false;
  const close = async () => {
    isClosing = true;
    child.kill('SIGKILL');
    await exited;
  };
  const timer = setTimeout(
    () => started.reject(new Error(`it did not listen within ${startWithinMs / 1000} s`)),
    startWithinMs,
  );
  exited.then(
    ([status]) => {
      const error = new AppError(
        'testbed-failed',
        `The front of the origin (caddy) ended with status ${String(status)}: ${lastError}`,
      );
      started.reject(error);
      if (!isClosing) failing.abort(error);
    },
    (error: unknown) => started.reject(error),
  );
  // One that has ended does not read it; its end is reported above.
  child.stdin.on('error', () => undefined).end(JSON.stringify(configuration));
  try {
    await started.promise;
  } catch (cause) {
    await close().catch(() => undefined);
    if (cause instanceof AppError) throw cause;
    throw new AppError('testbed-failed', `The front of the origin (caddy) did not start: ${(cause as Error).message}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
  return { failed: failing.signal, close };
}
