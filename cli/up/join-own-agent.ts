import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import type { Controller } from '#controller/start-controller.ts';
import type { HostOrigin } from '#core/protocol/host-origin.ts';
import { startAgentProcess } from '../agent/agent-process.ts';
import { firefoxKind } from '../browser/browser-kinds.ts';
import type { TokenLedger } from '../home/token-ledger.ts';
import { findBrowser, findPresentBrowser } from '../find-browser.ts';

interface OwnAgentOptions {
  /** True: the name of this machine. */
  name: string | true;
  /** Whose pages the machine serves. */
  origin: HostOrigin | null;
  controller: Controller;
  ledger: TokenLedger;
  allowScripts: boolean;
  /** Which browser is also run with the extension in it. */
  extension: ExtensionTarget | undefined;
  environment: NodeJS.ProcessEnv;
  homeFolder: string;
  isVerbose: boolean;
  log: Logger;
  signal: AbortSignal;
}

const connectWithinMs = 15_000;
const pollMs = 50;

/**
 * Joins this machine to the Controller as an Agent, with a token of its own in `ledger`, until disposed of; resolves once it is connected, or is slow to. It logs
 * an Agent that is gone for good; the Controller keeps serving.
 */
export async function joinOwnAgent({
  name: wantedName,
  origin,
  controller,
  ledger,
  allowScripts,
  extension,
  environment,
  homeFolder,
  isVerbose,
  log,
  signal,
}: OwnAgentOptions): Promise<AsyncDisposable> {
  const name = wantedName === true ? hostname() : wantedName;
  const say = (line: string) => log.info(line);
  say(`Starting the Agent "${name}" on this machine`);
  const search = { environment, platform: process.platform, homeFolder, say, signal };
  const chromePath = await findBrowser(search);
  const findFirefox = extension === 'firefox' ? findBrowser : findPresentBrowser;
  const firefoxPath = await findFirefox(search, firefoxKind);

  await using started = new AsyncDisposableStack();
  const token = await ledger.issue({ name: `Agent of ./http-ae up on ${hostname()}`, scope: 'agent', agentName: name });
  const agent = started.use(
    startAgentProcess({
      controllerUrl: controller.localUrl,
      token,
      name,
      chromePath,
      firefoxPath,
      extension,
      origin,
      allowScripts,
      homeFolder,
      isVerbose,
      say,
    }),
  );
  agent.failed.addEventListener('abort', () =>
    log.error({ err: agent.failed.reason as unknown }, 'The Agent of this machine has stopped'),
  );
  const deadlineMs = performance.now() + connectWithinMs;
  while (!controller.agents.isConnected(name) && !agent.failed.aborted && performance.now() < deadlineMs) {
    await pause(pollMs);
    signal.throwIfAborted();
  }

  const stack = started.move();
  return { [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
