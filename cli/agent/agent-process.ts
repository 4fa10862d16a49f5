import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { AppError } from '#core/app-error.ts';
import type { HostOrigin } from '#core/protocol/host-origin.ts';
import { launcher } from '../installation.ts';

export interface AgentProcessOptions {
  controllerUrl: string;
  token: string;
  name: string;
  /** Null for an Agent that runs no User Agents. */
  chromePath: string | null;
  /** Left out or null: it does not run Firefox, unless it looks for one itself. */
  firefoxPath?: string | null | undefined;
  /** Whether it runs a Firefox that is installed later. */
  looksForFirefox?: boolean;
  /** Which of the two is also run with the extension in it. */
  extension?: ExtensionTarget | null | undefined;
  homeFolder: string;
  /** The origin whose pages it can load; left out or null where there is none. */
  origin?: HostOrigin | null;
  allowScripts?: boolean;
  /** The words before the command, such as those that enter a namespace. */
  prefix?: readonly string[];
  isVerbose: boolean;
  say: (line: string) => void;
}

const restartAfterMs = 1_000;
const restartLimit = 5;
/** One that lasted so long is no start that fails. */
const steadyAfterMs = 600_000;
const endWithinMs = 15_000;

export interface AgentProcess extends AsyncDisposable {
  /** Aborts, with an AppError, when the Agent has died soon after its start so often that it is not started again. */
  failed: AbortSignal;
}

/** Runs `http-ae agent` in a process of its own, and again when it dies, until disposed of. Its log is shown when it dies. */
export function startAgentProcess(options: AgentProcessOptions): AgentProcess {
  const stopping = new AbortController();
  const failing = new AbortController();
  const keeping = keepRunning(options, stopping.signal).catch((error: unknown) => failing.abort(error));
  return {
    failed: failing.signal,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await keeping;
    },
  };
}

async function keepRunning(options: AgentProcessOptions, signal: AbortSignal): Promise<void> {
  for (let restarts = 0; ; restarts++) {
    const startedMs = performance.now();
    const end = await runOnce(options, signal);
    if (signal.aborted) return;
    options.say(`${end.log.trimEnd()}\nThe Agent "${options.name}" ended unexpectedly (${end.reason})`);
    if (performance.now() - startedMs > steadyAfterMs) restarts = 0;
    if (restarts === restartLimit)
      throw new AppError(
        'agent-missing',
        `The Agent "${options.name}" ended ${restarts + 1} times soon after its start: its log is above`,
      );
    await pause(restartAfterMs);
  }
}

/** Resolves when the process has ended. The channel (`ipc`) closes when this process is gone, so the Agent never outlives it. */
async function runOnce(options: AgentProcessOptions, signal: AbortSignal): Promise<{ reason: string; log: string }> {
  if (signal.aborted) return { reason: 'not started', log: '' };
  const { controllerUrl, token, chromePath, firefoxPath, homeFolder, origin, isVerbose } = options;
  const child = spawn(...commandOf(options), {
    env: {
      ...process.env,
      HTTP_AE_CONTROLLER: controllerUrl,
      HTTP_AE_TOKEN: token,
      ...(chromePath && { HTTP_AE_CHROME: chromePath }),
      ...(firefoxPath && { HTTP_AE_FIREFOX: firefoxPath }),
      HTTP_AE_HOME: homeFolder,
      ...(origin && { HTTP_AE_ORIGIN: JSON.stringify(origin) }),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C reaches the whole group of a terminal: this process decides when the Agent ends.
    detached: true,
  });
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4_000);
    if (isVerbose) process.stderr.write(text);
  });
  const stop = () => stopProcess(child);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [exitCode, signalName] = (await once(child, 'close')) as [number | null, string | null];
    return { reason: signalName ?? `exit status ${exitCode}`, log };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function commandOf({
  name,
  chromePath,
  firefoxPath,
  looksForFirefox,
  extension,
  allowScripts,
  prefix = [],
}: AgentProcessOptions): [program: string, args: string[]] {
  const flags = [
    ...(allowScripts ? ['--allow-scripts'] : []),
    ...(chromePath === null ? ['--no-browser'] : []),
    ...(firefoxPath || looksForFirefox ? [] : ['--no-firefox']),
    ...(extension ? ['--extension', extension] : []),
  ];
  const [program, ...args] = [...prefix, ...launcher, 'agent', '--name', name, ...flags];
  return [program!, args];
}

function stopProcess(child: ChildProcess): void {
  const overdue = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
  child.once('exit', () => clearTimeout(overdue));
  child.kill('SIGTERM');
}
