import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { hostsOfAll } from '#controller/runs/hosts-of.ts';
import { listLoadedSites } from '#core/evaluation/pages/site-page.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { isNodePlace } from '#testbed/namespaces/namespace-name.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { createLog } from '../create-log.ts';
import { formatRoughDuration } from '../plain-text.ts';
import { tryLock } from '../home/try-lock.ts';
import { followRun } from '../progress/follow-run.ts';
import type { ProgressStream } from '../progress/progress-printer.ts';
import { openController } from '../up/open-controller.ts';
import { uploadCorpusSite } from '../site/fetch-corpus.ts';
import { openDatabaseServer } from '../up/open-database-server.ts';
import type { PlannedPart } from './plan-parts.ts';
import type { StudyBrowsers } from './refuse-unmeasurable.ts';
import type { StudyState } from './study-state.ts';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { exportReport } from '../export/export-report.ts';
import type { Logger } from 'pino';
import { asHostOrigin } from '#core/protocol/host-origin.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { joinController, type JoinedTestbed } from '../testbed/join-controller.ts';
import { openTestbedOrigin, originFolder } from '../testbed/open-testbed-origin.ts';

/** The table of findings and the figures, which are small enough to be kept with a text. Everything else is in a folder for each part. */
export const findingsFile = 'findings.md';
export const figuresFolder = 'figures';

interface MeasureOptions {
  study: string;
  browsers: StudyBrowsers;
  state: StudyState;
  output: string;
  homeFolder: string;
  isVerbose: boolean;
  say: (line: string) => void;
  /** Where Runs show how far they are. */
  progress: ProgressStream;
  signal: AbortSignal;
}

/** Measures parts one after the other, one that was begun first, and writes the results of each. All that it starts ends with it. */
export async function measureParts(parts: readonly PlannedPart[], options: MeasureOptions): Promise<void> {
  const { study, browsers, state, output, homeFolder, isVerbose, say, progress, signal } = options;
  const { env: environment } = process;
  const log = createLog(isVerbose ? 'debug' : 'warn');
  const folder = path.join(homeFolder, 'studies', study);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  using lock = tryLock(path.join(folder, 'lock.sqlite'));
  if (lock === null) throw new AppError('conflict', `The study "${study}" is already running on this machine`);

  await using database = await openDatabaseServer({ folder, environment, log, signal });
  signal.throwIfAborted();
  await using open = await openController({
    ...database,
    host: '127.0.0.1',
    port: 0,
    homeFolder: folder,
    maximumTraceBytes: undefined,
    log,
    signal,
  });
  const { url, instanceId } = open.controller;
  const client = new ControllerClient({ url, token: open.token }, signal);
  const begun = state.findBegun(parts, instanceId);
  if (!environment.DATABASE_URL)
    await stopOthers(client, {
      kept: new Set(begun.map(({ runId }) => runId)),
      ofOtherParts: state.listUnmeasured(instanceId, { except: parts.map(({ name }) => name) }),
      say,
    });
  const usable = await findUsable(
    client,
    begun.map(({ runId }) => runId),
  );

  const sites = new Set(
    parts.flatMap(({ evaluation }) => listLoadedSites(evaluation.urlLists).map(({ name }) => name)),
  );
  for (const site of sites)
    await uploadCorpusSite(client, site, { homeFolder, chromePath: browsers.chromePath, say, signal });

  const token = await open.ledger.issue({ name: `Agents of the study ${study}`, scope: 'agent' });
  await using stage = await openStudyStage({
    ...browsers,
    controllerUrl: url,
    token,
    homeFolder: folder,
    allowScripts: parts.some(({ evaluation }) => evaluation.scenarios.some(runsCommands)),
    userCount: Math.max(...parts.map(({ users }) => users)),
    usesNodes: parts.some(({ evaluation }) => hostsOfAll(evaluation).some(isNodePlace)),
    servesHttp3: parts.some(({ evaluation }) => evaluation.scenarios.some(usesHttp3)),
    isVerbose,
    say,
    log,
  });
  const until = AbortSignal.any([signal, stage.failed]);
  const isBegun = ({ name }: PlannedPart) => begun.some(({ part, runId }) => part.name === name && usable.has(runId));
  const order = [...parts.filter(isBegun), ...parts.filter((part) => !isBegun(part))];
  for (const [index, part] of order.entries()) {
    const earlier = begun.find(({ part: { name } }) => name === part.name)?.runId;
    const isContinued = earlier !== undefined && usable.has(earlier);
    const minutesLeft = order.slice(index).reduce((sum, { minutes }) => sum + minutes, 0);
    say(
      `Part ${index + 1} of ${order.length}: ${part.name}${isContinued ? ', continued' : ''}. About ${formatRoughDuration(minutesLeft * 60_000)} left`,
    );
    const runId = isContinued ? earlier : await startPart(client, part);
    const { evaluationSha256 } = part;
    await state.record(part.name, { evaluationSha256, instanceId, runId, isMeasured: false });
    await followRun(client, runId, { stream: progress, signal: until });
    await writeResults(runId, { client, output, part: part.name, signal: until });
    await state.record(part.name, { evaluationSha256, instanceId, runId, isMeasured: true });
  }
}

async function startPart(client: ControllerClient, { yaml }: PlannedPart): Promise<string> {
  const { id } = await client.createEvaluation(yaml);
  return (await client.startRun(id)).id;
}

/** Runs of another time that nobody continues: others would wait for them. Throws `conflict` where one belongs to another part of these results. */
async function stopOthers(
  client: ControllerClient,
  {
    kept,
    ofOtherParts,
    say,
  }: { kept: ReadonlySet<string>; ofOtherParts: ReadonlyMap<string, string> } & Pick<MeasureOptions, 'say'>,
): Promise<void> {
  const others = (await client.listRuns()).filter(({ id, state }) => isOpen(state) && !kept.has(id));
  for (const { id } of others) {
    const part = ofOtherParts.get(id);
    if (part !== undefined)
      throw new AppError(
        'conflict',
        `The part "${part}" is begun: continue it by --part ${part}, or remove it from state.json of the results`,
      );
  }
  for (const { id, evaluationName } of others) {
    say(`Run ${id} of "${evaluationName}", which was begun for other results, is ended`);
    await client.stopRun(id);
  }
}

/** Of these Runs, those that have completed or will. */
async function findUsable(client: ControllerClient, runIds: readonly string[]): Promise<Set<string>> {
  const runs = await client.listRuns();
  return new Set(
    runs
      .filter(({ id, state }) => runIds.includes(id) && !['stopped', 'stopping', 'failed'].includes(state))
      .map(({ id }) => id),
  );
}

function runsCommands({ setUp, afterNetwork, processes, tearDown }: Scenario): boolean {
  return [setUp, afterNetwork, processes, tearDown].some((list) => list.length > 0);
}

function usesHttp3({ browser }: Scenario): boolean {
  return browser.protocols?.includes('h3') ?? false;
}

/** Writes the report, the Visits and the bundle of a part into a folder of its own. */
async function writeResults(
  run: string,
  { client, output, part, signal }: { client: ControllerClient; output: string; part: string; signal: AbortSignal },
): Promise<void> {
  const folder = path.join(output, part);
  await mkdir(folder, { recursive: true });
  const save = async (response: Response, file: string) =>
    pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file), { signal });
  await exportReport(run, { client, output: reportFile(output, part) });
  await save(await client.openVisits(run, 'csv'), path.join(folder, 'visits.csv'));
  await save(await client.openBundle(run), bundleFile(output, part));
}

interface StageOptions extends StudyBrowsers {
  controllerUrl: string;
  token: string;
  homeFolder: string;
  /** Whether its Scenarios have scripts or processes: the study is the operator's own. */
  allowScripts: boolean;
  /** How many users have a network namespace each. */
  userCount: number;
  /** Whether something runs, or is captured, in the nodes of a path. */
  usesNodes: boolean;
  /** Whether the origin serves HTTP/3 too. */
  servesHttp3: boolean;
  isVerbose: boolean;
  say: (line: string) => void;
  log: Logger;
}

/** The testbed of a study: its link, the origin in `ground`, and the Agents of both ends. */
async function openStudyStage({ ...options }: StageOptions): Promise<JoinedTestbed> {
  await using resources = new AsyncDisposableStack();
  const emulated = resources.use(
    await openEmulatedNetwork({
      profile: resolveLinkProfile({ preset: 'none' }),
      userCount: options.userCount,
      hasNodes: options.usesNodes,
      authorityFolder: originFolder(options.homeFolder),
    }),
  );
  const origin = resources.use(
    await openTestbedOrigin(emulated.network, { homeFolder: options.homeFolder, http3: options.servesHttp3 }),
  );
  const { failed } = resources.use(await joinController(emulated, { ...options, origin: asHostOrigin(origin) }));
  options.say(`The emulated link is up (${emulated.backend})`);
  const stack = resources.move();
  return { failed: AbortSignal.any([failed, origin.failed]), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

export function bundleFile(output: string, part: string): string {
  return path.join(output, part, 'run.bundle.gz');
}

export function reportFile(output: string, part: string): string {
  return path.join(output, part, 'report.html');
}
