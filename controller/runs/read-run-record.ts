import { causesVersion, placeOfParts, readParts } from '#core/causes/causes.ts';
import { movePath } from '#core/causes/packed-path.ts';
import { mostDelayingUsers } from '#core/comparison/users/compare-delays.ts';
import type { ComparedRecord } from '#core/comparison/design-comparison.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { listHttpepScenarios } from '#core/evaluation/network/list-httpep-scenarios.ts';
import { listLoadedSites } from '#core/evaluation/pages/site-page.ts';
import { latencyIds, type LatencyId } from '#core/metrics/index.ts';
import { AbsenceReasonSchema, type Measurement } from '#core/metrics/metric-definition.ts';
import type { PassStart, RecordedRound, RecordedVisit, RunRecord, PassLoad } from '#core/record/run-record.ts';
import { skewColumns } from './round-views.ts';
import { listAddedRounds } from './store-added-rounds.ts';
import { listExclusions } from './exclusions.ts';
import type { Queryable } from '../database/queryable.ts';
import { latencyColumns, readVisitsByPass, visitTraits } from '../visits/visits-by-pass.ts';
import { readRun } from './stored-runs.ts';
import { findEnding } from './stop-decisions.ts';
import { HostLoadSchema } from '#core/protocol/host-load.ts';
import { describePointTraffic, type PointTraffic } from '#core/record/point-traffic.ts';
import {
  describeHttpepTraffic,
  httpepScripts,
  type HttpepTraffic,
  type ProcessOutput,
} from '#core/record/httpep-traffic.ts';
import { describeRoundTraffic, type RoundTraffic } from '#core/record/round-traffic.ts';

/** What the report of a Run is made from; null when there is none of this id. Read it in one transaction, so that its parts belong together. */
export async function readRunRecord(
  db: Queryable,
  runId: string,
  { needsRequestStart = false }: { needsRequestStart?: boolean } = {},
): Promise<RunRecord | null> {
  const run = await readRun(db, runId);
  if (!run) return null;
  const evaluation = EvaluationSchema.parse(run.document);
  return {
    runId,
    state: run.state,
    seed: run.seed,
    evaluation,
    added: await listAddedRounds(db, runId),
    rounds: await readRecordedRounds(db, runId),
    visits: await readRecordedVisits(db, runId, {
      needsRequestStart,
      userAgent: null,
      causesOf: evaluation.primaryMetric,
      needsReplay: listLoadedSites(evaluation.urlLists).length > 0,
      needsPath:
        evaluation.capture.enabled &&
        evaluation.userAgents.length <= mostDelayingUsers &&
        evaluation.scenarios.some(({ network }) => network),
    }),
    starts: await readPassStarts(db, runId),
    loads: await readPassLoads(db, runId),
    exclusions: await listExclusions(db, runId),
    ending: await findEnding(db, runId),
    traffic: await readRoundTraffic(db, runId),
    points: await readPointTraffic(db, runId),
    httpep: await readHttpepTraffic(db, runId, listHttpepScenarios(evaluation)),
  };
}

/** What the cells of one User Agent are made from, with its Visits alone; null when there is no Run of this id. */
export async function readRecordOfUser(
  db: Queryable,
  runId: string,
  { userAgent, needsRequestStart }: { userAgent: string; needsRequestStart: boolean },
): Promise<ComparedRecord | null> {
  const run = await readRun(db, runId);
  if (!run) return null;
  return {
    seed: run.seed,
    evaluation: EvaluationSchema.parse(run.document),
    added: await listAddedRounds(db, runId),
    rounds: await readRecordedRounds(db, runId),
    visits: await readRecordedVisits(db, runId, { needsRequestStart, userAgent, causesOf: null, needsPath: false }),
  };
}

async function readRecordedRounds(db: Queryable, runId: string): Promise<RecordedRound[]> {
  const { rows } = await db.query<RecordedRound>(
    `select block, scenario, warm_up as "warmUp", state, ${skewColumns} from round where run_id = $1 order by index, attempt`,
    [runId],
  );
  return rows;
}

async function readPassStarts(db: Queryable, runId: string): Promise<PassStart[]> {
  const { rows } = await db.query<PassStart>(
    `select round.block, round.scenario, pass.user_agent as "userAgent", first_visit.epoch_ms as "startedEpochMs",
       first_visit.epoch_ms + first_visit.request_start_ms as "firstRequestEpochMs"
     from round join pass on pass.round_id = round.id
     cross join lateral (
       select (extract(epoch from started_at) * 1000)::float8 as epoch_ms, coalesce(request_delay_ms, (readings ->> 'requestStartMs')::float8) as request_start_ms
       from visit where visit.pass_id = pass.id order by sequence limit 1) first_visit
     where round.run_id = $1 and round.state = 'completed' and not round.warm_up
     order by round.index, pass.user_agent`,
    [runId],
  );
  return rows;
}

/** What is read of the Visits of a Pass together; null where it is not needed. */
type PassAggregates = readonly [
  /** Of each Visit that lacks a latency: why it lacks each. */
  lacking: (string | null)[][] | null,
  requestAbsences: (string | null)[] | null,
  causes: Buffer | null,
  paths: (number[] | null)[] | null,
];

const reasons = latencyIds.map((id) => `case when ${latencyColumns[id]} is null then absences ->> '${id}' end`);
const selectReasons = `json_agg(json_build_array(${reasons.join()})) filter (where ${visitTraits.lacksLatency})`;

/** Of all User Agents where `userAgent` is null. `causesOf`: the latency whose causes are read, or null. */
async function readRecordedVisits(
  db: Queryable,
  runId: string,
  {
    needsRequestStart,
    userAgent,
    causesOf,
    needsPath,
    needsReplay = false,
  }: {
    needsRequestStart: boolean;
    userAgent: string | null;
    causesOf: LatencyId | null;
    needsPath: boolean;
    needsReplay?: boolean;
  },
): Promise<RecordedVisit[]> {
  const passes = await readVisitsByPass(db, {
    runId,
    userAgent,
    numbers: {
      ...latencyColumns,
      hostDelayMs: 'host_delay_ms',
      failedObjects: 'failed_objects',
      ...(needsRequestStart && { requestStartMs: `readings ->> 'requestStartMs'` }),
      ...(needsPath && { clockOffsetMs: 'clock_offset_ms' }),
      ...(needsReplay && { misses: `readings ->> 'replayMissCount'`, objects: `readings ->> 'objectCount'` }),
    },
    aggregates: [
      selectReasons,
      needsRequestStart ? `json_agg(absences ->> 'requestStartMs')` : 'null',
      causesOf === null ? 'null' : selectParts(causesOf),
      needsPath ? `json_agg(case when causes_version = ${causesVersion} then critical_path end)` : 'null',
    ],
  });
  const shareAbsences = makeAbsences();
  const visits: RecordedVisit[] = [];
  for (const pass of passes) {
    const { block, scenario, userAgent: ofUser } = pass;
    const [lacking, requestAbsences, causes, paths] = pass.aggregates as PassAggregates;
    const [baseMs, viewportMs, totalMs] = latencyIds.map((metric) => pass.reader(metric));
    const [hostDelayMs, failedObjects] = [pass.reader('hostDelayMs'), pass.reader('failedObjects')];
    const [misses, objects] = [pass.reader('misses'), pass.reader('objects')];
    const [requestStartMs, clockOffsetMs] = [pass.reader('requestStartMs'), pass.reader('clockOffsetMs')];
    let [nextLacking, nextParts] = [0, 0];
    const takeParts = () => readParts(causes!.subarray(nextParts, (nextParts += bytesOfParts)));
    for (const [place, url] of pass.urls.entries()) {
      const visit: RecordedVisit = {
        block,
        scenario,
        userAgent: ofUser,
        url,
        isFailed: pass.is('isFailed', place),
        isTimedOut: pass.is('isTimedOut', place),
        isExcluded: pass.is('isExcluded', place),
        isUnsettled: pass.is('isUnsettled', place),
        isHidden: pass.is('isHidden', place),
        failedObjects: failedObjects(place),
        hostDelayMs: hostDelayMs(place),
        latencies: { baseMs: baseMs!(place), viewportMs: viewportMs!(place), totalMs: totalMs!(place) },
        absences: pass.is('lacksLatency', place) ? shareAbsences(lacking![nextLacking++]!) : null,
      };
      const missed = misses(place);
      if (missed !== null) visit.replay = { misses: missed, objects: objects(place) ?? 0 };
      if (needsRequestStart) visit.requestStart = toMeasurement(requestStartMs(place), requestAbsences![place]!);
      if (causesOf !== null) visit.causes = pass.is('hasCauses', place) ? takeParts() : null;
      if (needsPath) visit.criticalPath = readCriticalPath(paths![place]!, clockOffsetMs(place)!);
      visits.push(visit);
    }
  }
  return visits;
}

/** One object for all Visits that lack latencies for the same reasons. */
function makeAbsences(): (reasons: readonly (string | null)[]) => RecordedVisit['absences'] {
  const known = new Map<string, RecordedVisit['absences']>();
  return (reasons) => {
    const key = reasons.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    const given = latencyIds.flatMap((metric, index) =>
      reasons[index] === null ? [] : [[metric, AbsenceReasonSchema.parse(reasons[index])]],
    );
    const absences = given.length === 0 ? null : (Object.fromEntries(given) as RecordedVisit['absences']);
    known.set(key, absences);
    return absences;
  };
}

const { length: bytesOfParts } = placeOfParts('totalMs');

/** The parts of one latency of each Visit that has causes, one after the other. PostgreSQL counts from 1. */
function selectParts(latency: LatencyId): string {
  const { start, length } = placeOfParts(latency);
  return `string_agg(substring(causes from ${start + 1} for ${length}), '') filter (where ${visitTraits.hasCauses})`;
}

/** On the Controller's clock; null where it is not derived. */
function readCriticalPath(path: number[] | null, clockOffsetMs: number): number[] | null {
  return path && path.length > 0 ? movePath(path, clockOffsetMs) : null;
}

function toMeasurement(value: number | null, absence: string | null): Measurement {
  return value === null ? { reason: AbsenceReasonSchema.catch('unsupported').parse(absence) } : { value };
}

/** How busy the hosts were over each Pass of the completed Rounds that are no warm-up, in the order of execution. */
async function readPassLoads(db: Queryable, runId: string): Promise<PassLoad[]> {
  const { rows } = await db.query<Omit<PassLoad, 'load'> & { load: unknown }>(
    `select round.block, round.scenario, pass.agent as host, host_load as load from round join pass on pass.round_id = round.id
     where round.run_id = $1 and round.state = 'completed' and not round.warm_up order by round.index, pass.user_agent`,
    [runId],
  );
  return rows.map((row) => ({ ...row, load: HostLoadSchema.nullable().parse(row.load) }));
}

/** What crossed the Capture Points in each completed Round that is no warm-up. Of each Capture only the needed part is read. */
async function readPointTraffic(db: Queryable, runId: string): Promise<PointTraffic[]> {
  const { rows } = await db.query<{ block: number; scenario: string; point: string; outcome: unknown }>(
    `select round.block, round.scenario, capture_point.name as point, case when capture.id is not null then outcome || jsonb_build_object(
       'statistics', jsonb_build_object(
         'packets', statistics->'packets', 'dataBytes', statistics->'dataBytes', 'tcp', statistics->'tcp', 'udp', statistics->'udp',
         'connections', coalesce((select jsonb_agg(jsonb_build_object('tls', connection->'tls')) from jsonb_array_elements(statistics->'connections') as connection), '[]'))) end as outcome
     from round join capture_point on round_id = round.id left join capture on point_id = capture_point.id, lateral (select outcome->'statistics' as statistics) as read
     where run_id = $1 and round.state = 'completed' and not warm_up
     order by round.index, capture_point.name`,
    [runId],
  );
  return rows.map(({ outcome, ...of }) => ({ ...of, captured: describePointTraffic(outcome) }));
}

/** What HTTPEP counted in each completed Round that is no warm-up, of these Scenarios. */
async function readHttpepTraffic(db: Queryable, runId: string, scenarios: readonly string[]): Promise<HttpepTraffic[]> {
  if (scenarios.length === 0) return [];
  const { rows } = await db.query<{ block: number; scenario: string; processes: ProcessOutput[] }>(
    `select block, scenario, coalesce((
       select jsonb_agg(jsonb_build_object('script', script, 'output', output) order by ended_at, id) from script_execution
       where round_id = round.id and phase = 'process' and script = any($3)), '[]') as processes
     from round where run_id = $1 and state = 'completed' and not warm_up and scenario = any($2) order by index`,
    [runId, scenarios, Object.values(httpepScripts)],
  );
  return rows.map(({ block, scenario, processes }) => ({ block, scenario, counted: describeHttpepTraffic(processes) }));
}

/** What the User Agents received in each completed Round that is no warm-up. Of each Capture only the needed part is read. */
async function readRoundTraffic(db: Queryable, runId: string): Promise<RoundTraffic[]> {
  const { rows } = await db.query<{ id: string; block: number; scenario: string; userAgent: string; outcome: unknown }>(
    `select round.id, block, scenario, user_agent as "userAgent", jsonb_build_object(
       'statistics', jsonb_build_object(
         'startEpochNs', outcome->'statistics'->'startEpochNs', 'endEpochNs', outcome->'statistics'->'endEpochNs',
         'throughput', jsonb_build_object('received', outcome->'statistics'->'throughput'->'received'),
         'repairs', outcome->'statistics'->'repairs'),
       'clockOffsetMs', outcome->'clockOffsetMs', 'droppedByKernel', outcome->'droppedByKernel', 'droppedByInterface', outcome->'droppedByInterface') as outcome
     from round join pass on round_id = round.id left join pass_capture as capture on capture.pass_id = pass.id and not coalesce(is_short, false)
     where run_id = $1 and round.state = 'completed' and not warm_up
     order by round.index, user_agent`,
    [runId],
  );
  return [...Map.groupBy(rows, (row) => row.id).values()].map((passes) =>
    describeRoundTraffic({ block: passes[0]!.block, scenario: passes[0]!.scenario }, passes),
  );
}
