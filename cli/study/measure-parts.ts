import path from 'node:path';
import { mkdir } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { hostsOfAll } from '#core/evaluation/users/hosts-of.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { isNodePlace } from '#testbed/namespaces/namespace-name.ts';
import { ControllerClient } from '../controller/controller-client.ts';
import { hasEnded } from '../controller/has-ended.ts';
import { createLog } from '../create-log.ts';
import { formatRoughDuration } from '../format-rough-duration.ts';
import { tryLock } from '../home/try-lock.ts';
import { followRun } from '../progress/follow-run.ts';
import { openController } from '../up/open-controller.ts';
import { openDatabaseServer } from '../up/open-database-server.ts';
import { openStudyStage } from './open-study-stage.ts';
import type { PlannedPart } from './plan-parts.ts';
import type { StudyBrowsers } from './refuse-unmeasurable.ts';
import type { StudyState } from './study-state.ts';
import { writeResults } from './write-results.ts';

interface MeasureOptions {
  study: string;
  browsers: StudyBrowsers;
  state: StudyState;
  output: string;
  homeFolder: string;
  isVerbose: boolean;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Measures parts one after the other, one that was begun first, and writes the results of each. All that it starts ends with it. */
export async function measureParts(parts: readonly PlannedPart[], options: MeasureOptions): Promise<void> {
  const { study, browsers, state, output, homeFolder, isVerbose, say, signal } = options;
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
  const begun = parts.flatMap((part) => {
    const found = state.find(part.name, part.evaluationSha256);
    return found?.instanceId === instanceId ? [{ part, runId: found.runId }] : [];
  });
  if (!environment.DATABASE_URL) await stopOthers(client, new Set(begun.map(({ runId }) => runId)));
  const usable = await findUsable(
    client,
    begun.map(({ runId }) => runId),
  );

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
    await followRun(client, runId, { stream: process.stderr, signal: until });
    await writeResults(runId, { client, output, part: part.name, signal: until });
    await state.record(part.name, { evaluationSha256, instanceId, runId, isMeasured: true });
  }
}

async function startPart(client: ControllerClient, { yaml }: PlannedPart): Promise<string> {
  const { id } = await client.createEvaluation(yaml);
  return (await client.startRun(id)).id;
}

/** Runs of another time that nobody continues: others would wait for them. */
async function stopOthers(client: ControllerClient, kept: ReadonlySet<string>): Promise<void> {
  for (const run of await client.listRuns()) if (!hasEnded(run) && !kept.has(run.id)) await client.stopRun(run.id);
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
