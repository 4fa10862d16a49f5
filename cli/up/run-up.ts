import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { issueFirstTicket, issueTicket, signInLink } from '#controller/people/sign-in-tickets.ts';
import { readWebhookUrl } from '#controller/runs/send-crossings.ts';
import { readNetworks } from '#httpep/command/pep-options.ts';
import type { TraceLimitOptions } from '../commands/option-parsers.ts';
import { createLog, isJsonLog } from '../create-log.ts';
import { findHome } from '../installation.ts';
import { watchInterrupts, untilAborted } from '../watch-interrupts.ts';
import { openController, chooseArtefacts } from './open-controller.ts';
import { openDatabaseServer } from './open-database-server.ts';
import path from 'node:path';
import type { Logger } from 'pino';
import { asHostOrigin, type HostOrigin } from '#core/protocol/host-origin.ts';
import { startOriginProcess } from '../origin/start-origin-process.ts';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Controller } from '#controller/start-controller.ts';
import { startAgentProcess } from '../agent/agent-process.ts';
import { firefoxKind } from '../browser-kinds.ts';
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

export interface UpOptions extends TraceLimitOptions {
  host: string;
  port: number;
  publicUrl?: string;
  trustedProxy?: string;
  /** True: by the name of this machine. */
  agent?: string | true;
  allowScripts?: true;
  extension?: ExtensionTarget;
  adminLink?: true;
  oneRunAtATime?: true;
  json?: true;
  verbose?: true;
}

/** Serves the Controller and its web UI until Ctrl-C, then stops all that it started. */
export async function runUp({
  host,
  port,
  publicUrl,
  trustedProxy,
  agent: agentName,
  allowScripts,
  extension,
  adminLink,
  traceLimit,
  oneRunAtATime,
  json,
  verbose,
}: UpOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const { env: environment } = process;
  const log = createLog(verbose ? 'debug' : 'info');
  const homeFolder = findHome(environment);
  const artefacts = chooseArtefacts({ homeFolder, environment });
  const webhookUrl = readWebhookUrl(environment);
  const trustedProxies =
    trustedProxy === undefined ? undefined : readNetworks(trustedProxy.split(','), '--trusted-proxy');

  await using database = await openDatabaseServer({ folder: homeFolder, environment, log, signal });
  signal.throwIfAborted();
  await using open = await openController({
    ...database,
    host,
    port,
    publicUrl,
    trustedProxies,
    homeFolder,
    artefacts,
    maximumTraceBytes: traceLimit,
    oneRunAtATime: oneRunAtATime === true,
    offersTestbed: agentName !== undefined,
    webhookUrl,
    joinsHosts: true,
    log,
    signal,
  });
  const { url, pool } = open.controller;
  const ticket = adminLink ? await issueTicket(pool) : await issueFirstTicket(pool);
  const signInUrl = ticket === null ? null : signInLink(url, ticket);
  if (json) process.stdout.write(`${JSON.stringify({ url, signInUrl })}\n`);
  await using joined = new AsyncDisposableStack();
  let testPageUrl: string | null = null;
  if (agentName !== undefined) {
    const pages = joined.use(await openTestPages({ controllerPort: port, homeFolder, log }));
    if (pages) testPageUrl = `${pages.origin.httpUrl}/images/10`;
    joined.use(
      await joinOwnAgent({
        name: agentName,
        origin: pages?.origin ?? null,
        controller: open.controller,
        ledger: open.ledger,
        allowScripts: allowScripts === true,
        extension,
        environment,
        homeFolder,
        isVerbose: verbose === true,
        log,
        signal,
      }),
    );
  }
  // After all other messages of the start, where it is easy to see.
  if (!json) process.stdout.write(`\n${announce({ url, signInUrl, isAdminLink: adminLink === true, testPageUrl })}`);
  else if (testPageUrl !== null) log.info(`Test pages: ${testPageUrl}`);
  const { outdated } = open.controller;
  await untilAborted(AbortSignal.any([signal, outdated]));
  outdated.throwIfAborted();
  if (isJsonLog(environment)) log.info('Stopping');
  else process.stderr.write('Stopping; press Ctrl-C again to end at once\n');
}

interface Announced {
  url: string;
  signInUrl: string | null;
  isAdminLink: boolean;
  /** Null where this machine serves none. */
  testPageUrl: string | null;
}

/** Where to go now that all is up. The link to open comes first. */
export function announce({ url, signInUrl, isAdminLink, testPageUrl }: Announced): string {
  const signIn =
    signInUrl === null
      ? ''
      : `To sign in ${isAdminLink ? 'as an admin' : 'for the first time'}, open this link; it works once, within a day:\n\n  ${signInUrl}\n\n`;
  return `HTTP-AE is at ${url}\n${signIn}${testPageUrl === null ? '' : `Test pages: ${testPageUrl}\n`}`;
}

interface TestPages extends AsyncDisposable {
  origin: HostOrigin;
}

/**
 * Serves the test pages to the browsers of this machine, from a process of its own: they take no time from the Controller. Their ports are the two after that of the Controller, and
 * their key stays the same on this machine, so that an Evaluation can be run again. Null, with a warning, where a port is taken: all else works without them.
 */
async function openTestPages({
  controllerPort,
  homeFolder,
  log,
}: {
  /** 0: the pages take free ports too. */
  controllerPort: number;
  homeFolder: string;
  log: Logger;
}): Promise<TestPages | null> {
  const ports = controllerPort === 0 ? {} : { http: controllerPort + 1, http2: controllerPort + 2 };
  try {
    const process = await startOriginProcess({ ports, authorityFolder: path.join(homeFolder, 'origin') });
    const origin = asHostOrigin(process);
    process.failed.addEventListener('abort', () =>
      log.error({ err: process.failed.reason as unknown }, 'The test pages are gone'),
    );
    return { origin, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
  } catch (err) {
    log.warn({ err }, `No test pages: they need the ports ${Object.values(ports).join(' and ')}`);
    return null;
  }
}

/**
 * Joins this machine to the Controller as an Agent, with a token of its own in `ledger`, until disposed of; resolves once it is connected, or is slow to. It logs
 * an Agent that is gone for good; the Controller keeps serving.
 */
async function joinOwnAgent({
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
      looksForFirefox: true,
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
