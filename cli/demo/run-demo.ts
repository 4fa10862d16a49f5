import { issueTicket, signInLink } from '#controller/access/issue-ticket.ts';
import { roundLimits } from '#core/evaluation/rounds/repetition.ts';
import { defaultPort } from '../up/default-port.ts';
import { printResult } from '../comparison/print-result.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { createLog } from '../create-log.ts';
import { findBrowser } from '../find-browser.ts';
import { findHome } from '../find-home.ts';
import { followRun } from '../progress/follow-run.ts';
import { openController } from '../up/open-controller.ts';
import { openDatabaseServer } from '../up/open-database-server.ts';
import { untilAborted } from '../up/until-aborted.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { claimFolder } from './claim-folder.ts';
import { findFreePort } from './find-free-port.ts';
import { openDemoStage } from './open-demo-stage.ts';
import { stopEarlierRuns } from './stop-earlier-runs.ts';
import type { TraceLimitOptions } from '../commands/trace-limit-option.ts';

export interface DemoOptions extends TraceLimitOptions {
  httpep?: true;
  once?: true;
  /** Not given: the first from the default on that is free. */
  port?: number;
  json?: true;
  verbose?: true;
}

const host = '127.0.0.1';

/** The main job on one machine: database, Controller, origin and an Agent; one Run; its comparison; then serves until Ctrl-C. */
export async function runDemo({ httpep, once, port, traceLimit, json, verbose }: DemoOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const { env: environment, platform } = process;
  const homeFolder = findHome(environment);
  const log = createLog(verbose ? 'debug' : 'warn');
  const say = (line: string) => void process.stderr.write(`${line}\n`);

  const chromePath = await findBrowser({ environment, platform, homeFolder, say, signal });
  using folder = claimFolder(homeFolder);
  say('Starting PostgreSQL, the Controller, an origin and an Agent');
  await using database = await openDatabaseServer({ folder: folder.path, environment, log, signal });
  signal.throwIfAborted();
  await using open = await openController({
    ...database,
    host,
    port: port ?? (await findFreePort(host, defaultPort)),
    homeFolder,
    maximumTraceBytes: traceLimit,
    log,
    signal,
  });
  const { url, pool } = open.controller;
  const client = new ControllerClient({ url, token: open.token }, signal);
  if (!environment.DATABASE_URL) await stopEarlierRuns(client, say);

  const agentToken = await open.ledger.issue({ name: 'Agent of the demo', scope: 'agent' });
  const stageOptions = {
    subject: httpep ? ('httpep' as const) : ('http2' as const),
    controllerUrl: url,
    token: agentToken,
    chromePath,
    homeFolder: folder.path,
    isVerbose: verbose === true,
    say,
    log,
    signal,
  };
  await using stage = await openDemoStage(stageOptions);

  const { id, document } = await client.createEvaluation(stage.evaluationYaml);
  const { id: run } = await client.startRun(id);
  say(
    `Running "${document.name}": ${document.userAgents.length} User Agents, ${document.scenarios.length} Scenarios, ${roundLimits(document.repetition).maxRounds} Rounds each${document.repetition.warmUp ? ' and one warm-up Round' : ''}`,
  );
  const comparison = await followRun(client, run, {
    stream: process.stderr,
    signal: AbortSignal.any([signal, stage.failed]),
  });
  printResult({ run, reportUrl: client.reportUrl(run), comparison }, { isJson: json === true });
  if (once) return;

  const link = signInLink(url, await issueTicket(pool), `/runs/${run}/comparison`);
  say(`\nOpen this link to sign in; it works once: ${link}\nServing until Ctrl-C`);
  await untilAborted(signal);
  say('Stopping; press Ctrl-C again to end at once');
}
