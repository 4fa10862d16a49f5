import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { issueFirstTicket, issueTicket, signInLink } from '#controller/access/issue-ticket.ts';
import { createLog, isJsonLog } from '../create-log.ts';
import { findHome } from '../find-home.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { announce } from './announce.ts';
import { chooseArtefacts } from './choose-artefacts.ts';
import { joinOwnAgent } from './join-own-agent.ts';
import { openController } from './open-controller.ts';
import { openTestPages } from './open-test-pages.ts';
import { openDatabaseServer } from './open-database-server.ts';
import { untilAborted } from './until-aborted.ts';
import type { TraceLimitOptions } from '../commands/trace-limit-option.ts';

export interface UpOptions extends TraceLimitOptions {
  host: string;
  port: number;
  publicUrl?: string;
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

  await using database = await openDatabaseServer({ folder: homeFolder, environment, log, signal });
  signal.throwIfAborted();
  await using open = await openController({
    ...database,
    host,
    port,
    publicUrl,
    homeFolder,
    artefacts,
    maximumTraceBytes: traceLimit,
    oneRunAtATime: oneRunAtATime === true,
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
