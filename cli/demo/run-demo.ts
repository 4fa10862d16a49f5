import { issueTicket, signInLink } from '#controller/people/sign-in-tickets.ts';
import { roundLimits } from '#core/evaluation/rounds/repetition.ts';
import { findObstacle } from '#testbed/namespaces/require-tools.ts';
import { defaultPort, type TraceLimitOptions } from '../commands/option-parsers.ts';
import { printResult } from '../comparison/print-result.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { createLog } from '../create-log.ts';
import { findBrowser } from '../find-browser.ts';
import { findHome } from '../installation.ts';
import { uploadCorpusSite } from '../site/fetch-corpus.ts';
import { followOwnRun } from '../progress/follow-run.ts';
import { prepareTools } from '../testbed/find-testbed-obstacle.ts';
import { openController } from '../up/open-controller.ts';
import { watchInterrupts, untilAborted } from '../watch-interrupts.ts';
import { findFreePort } from './find-free-port.ts';
import { openDemoDatabase, claimFolder } from './open-demo-database.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { AppError } from '#core/app-error.ts';
import { mayEnterUserNamespace } from '#testbed/namespaces/enter-user-namespace.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { startAgentProcess } from '../agent/agent-process.ts';
import { demoHost, demoName, evaluationWithoutLink, type StageOptions, type Stage } from './demo-evaluation.ts';
import { openStageOverLink } from './open-stage-over-link.ts';
import path from 'node:path';
import { parse } from 'yaml';
import type { StoredEvaluation } from '#core/protocol/api/stored-evaluation.ts';
import { readRelayTarget } from '../testbed/read-relay-target.ts';
import { startInUserNamespace } from '../testbed/start-in-user-namespace.ts';
import { StageReportSchema, type StageOrder } from './stage-messages.ts';

export interface DemoOptions extends TraceLimitOptions {
  httpep?: true;
  /** A page of the corpus. */
  site?: string;
  once?: true;
  /** Not given: the first from the default on that is free. */
  port?: number;
  json?: true;
  verbose?: true;
}

const host = '127.0.0.1';

/** The main job on one machine: database, Controller, origin and an Agent; one Run; its comparison; then serves until Ctrl-C. */
export async function runDemo({ httpep, site, once, port, traceLimit, json, verbose }: DemoOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  const { env: environment, platform } = process;
  const homeFolder = findHome(environment);
  const log = createLog(verbose ? 'debug' : 'warn');
  const say = (line: string) => void process.stderr.write(`${line}\n`);

  const chromePath = await findBrowser({ environment, platform, homeFolder, say, signal });
  using folder = claimFolder(homeFolder);
  say('Starting PostgreSQL, the Controller, an origin and an Agent');
  await using database = await openDemoDatabase({ homeFolder, claimed: folder, environment, say, log, signal });
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
  const access = { url, token: open.token };
  const client = new ControllerClient(access, signal);
  if (!environment.DATABASE_URL) await stopEarlierRuns(client, say);

  const agentToken = await open.ledger.issue({ name: 'Agent of the demo', scope: 'agent' });
  const stageOptions = {
    subject: httpep ? ('httpep' as const) : ('http2' as const),
    site: site === undefined ? null : await uploadCorpusSite(client, site, { homeFolder, chromePath, say, signal }),
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

  const { id, document } = await keepDemo(client, stage.evaluationYaml);
  signal.throwIfAborted();
  // An interrupt in this moment must not hide which Run is to be stopped.
  const { id: run } = await new ControllerClient(access, new AbortController().signal).startRun(id);
  say(
    `Running "${document.name}": ${document.userAgents.length} User Agents, ${document.scenarios.length} Scenarios, ${roundLimits(document.repetition).maxRounds} Rounds each${document.repetition.warmUp ? ' and one warm-up Round' : ''}`,
  );
  const comparison = await followOwnRun(access, run, {
    stream: process.stderr,
    signal: AbortSignal.any([signal, stage.failed]),
  });
  printResult(
    { run, reportUrl: client.reportUrl(run), comparison },
    { isJson: json === true, ...(await client.readCheckedBesides(run)) },
  );
  if (once) return;

  const link = signInLink(url, await issueTicket(pool), `/runs/${run}/comparison`);
  say(`\nOpen this link to sign in; it works once: ${link}\nServing until Ctrl-C`);
  await untilAborted(signal);
  say('Stopping; press Ctrl-C again to end at once');
}

/** The Evaluation of the demos before, so that their Runs are one trend; of several of its name, that which changed last. */
async function keepDemo(client: ControllerClient, yaml: string): Promise<StoredEvaluation> {
  const { name } = parse(yaml) as { name: string };
  const known = (await client.listEvaluations()).find((each) => each.name === name);
  return (await client.keepEvaluation(yaml, known?.id)).evaluation;
}

/** Stops what a demo that was interrupted has left: its origin is gone, and the next Run would wait for it. */
async function stopEarlierRuns(client: ControllerClient, say: (line: string) => void): Promise<void> {
  for (const run of await client.listRuns()) {
    if (!isOpen(run.state) || !run.evaluationName.startsWith(demoName)) continue;
    say(`Stopping Run ${run.id}, left by an interrupted demo`);
    await client.stopRun(run.id);
  }
}

/** Over the emulated link where this machine allows one, as root or in a user namespace; else on loopback, which it prints. */
async function openDemoStage(options: StageOptions): Promise<Stage> {
  const { say, signal } = options;
  try {
    if (process.platform !== 'linux') throw new AppError('testbed-refused', 'it needs Linux network namespaces');
    await prepareTools({ say, signal });
    const needsUserNamespace = (await findObstacle()) !== null && (await mayEnterUserNamespace());
    return await (needsUserNamespace ? openStageInUserNamespace(options) : openStageOverLink(options, 'os-users'));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'testbed-refused') throw error;
    if (options.subject === 'httpep' || options.site !== null)
      throw new AppError('testbed-refused', `This demo needs an emulated link: ${error.message}`, {
        cause: error,
      });
    say(`This machine allows no emulated link (${error.message}): measuring without it`);
    return openStageOnLoopback(options);
  }
}

async function openStageOnLoopback(options: StageOptions): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const origin = resources.use(await startOrigin());
  const agent = resources.use(startAgentProcess({ ...options, name: demoHost }));
  const stack = resources.move();
  return {
    evaluationYaml: evaluationWithoutLink(origin),
    failed: agent.failed,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** In namespaces that a process of its own makes, as root of a user namespace. Database, Controller and web UI stay outside. */
export async function openStageInUserNamespace({
  subject,
  site,
  controllerUrl,
  token,
  chromePath,
  homeFolder,
  isVerbose,
  signal,
}: StageOptions): Promise<Stage> {
  await using resources = new AsyncDisposableStack();
  const inside = resources.use(
    startInUserNamespace([path.join(import.meta.dirname, 'stage-process.ts')], {
      target: readRelayTarget(controllerUrl),
    }),
  );
  const ready = Promise.withResolvers<string>();
  const failing = new AbortController();
  const fail = (error: unknown) => {
    failing.abort(error);
    ready.reject(error);
  };
  inside.onMessage((message) => {
    const report = StageReportSchema.parse(message);
    if (report.kind === 'ready') ready.resolve(report.evaluationYaml);
    else fail(new AppError(report.code, report.problem));
  });
  void inside.exited.then((status) =>
    fail(new AppError('testbed-failed', `The process in the user namespace ended with status ${status}`)),
  );
  const giveUp = () => ready.reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  resources.defer(() => signal.removeEventListener('abort', giveUp));
  inside.send({ subject, site, controllerUrl, token, chromePath, homeFolder, isVerbose } satisfies StageOrder);
  const evaluationYaml = await ready.promise;
  const stack = resources.move();
  return { evaluationYaml, failed: failing.signal, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
