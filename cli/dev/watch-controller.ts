import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { AppError } from '#core/app-error.ts';
import { packageRoot } from '../package-root.ts';

interface WatchedController {
  port: number;
  agentName: string;
  homeFolder: string;
  isVerbose: boolean;
  /** Called after each start, with a new link. */
  announce: (signInUrl: string) => void;
}

interface WatchedProcess extends AsyncDisposable {
  /** Resolves when the Controller listens for the first time. */
  ready: Promise<void>;
  /** Rejects when the process ends that restarts it. */
  ended: Promise<never>;
}

/** `./http-ae up --agent` in a process that Node.js restarts when a file changes that it has imported. */
export function watchController({
  port,
  agentName,
  homeFolder,
  isVerbose,
  announce,
}: WatchedController): WatchedProcess {
  const program = [
    path.join(packageRoot, 'cli/main.ts'),
    'up',
    '--agent',
    agentName,
    '--port',
    String(port),
    '--admin-link',
    '--json',
    ...(isVerbose ? ['--verbose'] : []),
  ];
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--watch', '--watch-preserve-output', ...program],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Ctrl-C in the terminal goes to this process alone, which ends the child in order.
      detached: true,
      env: { ...process.env, HTTP_AE_HOME: homeFolder },
    },
  );
  const exit = once(child, 'exit');
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const signInUrl = readSignInUrl(line);
    if (signInUrl === null) return;
    announce(signInUrl);
    resolve();
  });
  const ended = exit.then(([status]) => {
    throw new AppError('internal', `The Controller ended with status ${String(status)}: see the messages above`);
  });
  ended.catch(() => undefined); // also of an end that was ordered
  return {
    ready: Promise.race([ready, ended]),
    ended,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const killAll = () => process.kill(-child.pid!, 'SIGKILL');
      process.once('exit', killAll); // of a second Ctrl-C
      child.kill('SIGTERM');
      await exit;
      process.off('exit', killAll);
    },
  };
}

/** Node.js prints lines of its own when it restarts the program. */
function readSignInUrl(line: string): string | null {
  if (!line.startsWith('{')) return null;
  return (JSON.parse(line) as { signInUrl: string | null }).signInUrl;
}
