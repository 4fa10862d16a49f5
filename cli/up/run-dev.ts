import { existsSync } from 'node:fs';
import path from 'node:path';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { findController } from '../controller/controller-access.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { demoHost, evaluationWithoutLink } from '../demo/demo-evaluation.ts';
import { findFreePort } from '../demo/find-free-port.ts';
import { watchInterrupts, untilAborted } from '../watch-interrupts.ts';
import { AppError } from '#core/app-error.ts';
import { packageRoot, findHome } from '../installation.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface DevOptions {
  port: number;
  verbose?: true;
}

const address = '127.0.0.1';

/**
 * Serves the web UI from its sources, with a Controller that restarts when its sources change, an Agent and an origin, until Ctrl-C. Its data is
 * in the folder `dev` of the home folder. The first start runs a sample Evaluation.
 */
export async function runDev({ port, verbose }: DevOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const homeFolder = path.join(findHome(process.env), 'dev');
  const isFirst = !existsSync(homeFolder);

  await using stack = new AsyncDisposableStack();
  const origin = await startOrigin();
  stack.defer(() => origin.close());
  const controllerPort = await findFreePort(address, port + 1);
  const controllerUrl = `http://${address}:${controllerPort}`;
  const webUi = stack.use(await serveLiveWebUi({ host: address, port, controllerUrl }));
  const announce = (signInUrl: string) =>
    process.stdout.write(
      `\nThe web UI is at ${webUi.url}. It reloads when its sources change. To sign in, open this link:\n\n  ${signInUrl.replace(controllerUrl, webUi.url)}\n\nPages to load: ${origin.httpUrl}\n\n`,
    );
  const controller = stack.use(
    watchController({ port: controllerPort, agentName: demoHost, homeFolder, isVerbose: verbose === true, announce }),
  );

  await Promise.race([controller.ready, untilAborted(signal)]);
  if (isFirst && !signal.aborted) await runSample(evaluationWithoutLink(origin), { homeFolder, signal });
  await Promise.race([controller.ended, untilAborted(signal)]);
  process.stderr.write('Stopping; press Ctrl-C again to end at once\n');
}

async function runSample(
  yaml: string,
  { homeFolder, signal }: { homeFolder: string; signal: AbortSignal },
): Promise<void> {
  const client = new ControllerClient(await findController({}, homeFolder), signal);
  const { id } = await client.createEvaluation(yaml);
  const { id: run } = await client.startRun(id);
  process.stderr.write(`Run ${run}, a sample, has started\n`);
}

interface WebUiPlace {
  host: string;
  port: number;
  /** Where it sends what begins with `/api`. */
  controllerUrl: string;
}

/** The web UI by Vite's development server, which replaces changed modules in the open page. Throws AppError 'port-taken'. */
async function serveLiveWebUi({ host, port, controllerUrl }: WebUiPlace): Promise<AsyncDisposable & { url: string }> {
  process.env.HTTP_AE_CONTROLLER = controllerUrl; // read by its configuration
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: path.join(packageRoot, 'web-ui/vite.config.ts'),
    server: { host, port, strictPort: true },
    clearScreen: false,
    logLevel: 'warn',
  });
  try {
    await server.listen();
  } catch (cause) {
    await server.close();
    throw new AppError('port-taken', `Port ${port} is in use: choose another with --port`, { cause });
  }
  return { url: `http://${host}:${port}`, [Symbol.asyncDispose]: () => server.close() };
}

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
function watchController({ port, agentName, homeFolder, isVerbose, announce }: WatchedController): WatchedProcess {
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
