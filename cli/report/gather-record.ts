import { AppError } from '#core/app-error.ts';
import { causesVersion, unpackParts } from '#core/causes/causes.ts';
import { movePath } from '#core/causes/packed-path.ts';
import { listHttpepScenarios } from '#core/evaluation/network/list-httpep-scenarios.ts';
import type { LatencyId } from '#core/metrics/index.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { BundleLine, RoundLine, VisitLine } from '#core/record/bundle-line.ts';
import { ExclusionSchema } from '#core/record/exclusion.ts';
import { describeHttpepTraffic, type ProcessOutput } from '#core/record/httpep-traffic.ts';
import { describePointTraffic } from '#core/record/point-traffic.ts';
import { addReceived, describeRoundTraffic, isShortCapture, type BrowserTraffic } from '#core/record/round-traffic.ts';
import type { PassStart, RecordedVisit, RunRecord } from '#core/record/run-record.ts';
import { StartSkewSchema } from '#core/protocol/start-skew.ts';

/** What of a bundle the report is made from, just as a Controller reads it from its database. Snapshots are passed over. */
export async function gatherRecord(lines: AsyncIterable<BundleLine>, file: string): Promise<RunRecord> {
  let record: RunRecord | null = null;
  const excluded = new Set<string>();
  const rounds = new Map<string, RoundLine>();
  const passes = new Map<
    string,
    {
      userAgent: string;
      host: string;
      load: HostLoad | null;
      round: RoundLine;
      outcome: unknown;
      received: BrowserTraffic;
      first: FirstVisit | null;
    }
  >();
  const processes = new Map<string, ProcessOutput[]>();
  const points = new Map<string, { name: string; round: RoundLine; outcome: unknown }>();

  const need = <T>(found: T | undefined | null, what: string): T => {
    if (found === undefined || found === null)
      throw new AppError('damaged-bundle', `${file} is damaged or not a bundle: ${what}`);
    return found;
  };

  for await (const line of lines) {
    switch (line.kind) {
      case 'run':
        record = {
          runId: line.id,
          state: line.state,
          seed: line.seed,
          evaluation: line.evaluation,
          added: line.added,
          ending: line.ending,
          rounds: [],
          visits: [],
          starts: [],
          loads: [],
          exclusions: [],
          traffic: [],
          points: [],
          httpep: [],
        };
        break;
      case 'exclusion':
        need(record, 'its Run is missing').exclusions.push(ExclusionSchema.parse(line));
        if (line.reversal === null) excluded.add(line.visitId);
        break;
      case 'round': {
        rounds.set(line.id, line);
        const { block, scenario, warmUp, state } = line;
        const round = { block, scenario, warmUp, state, ...StartSkewSchema.parse(line) };
        need(record, 'its Run is missing').rounds.push(round);
        break;
      }
      case 'script':
        if (line.phase === 'process') processes.set(line.roundId, [...(processes.get(line.roundId) ?? []), line]);
        break;
      case 'capture-point':
        points.set(line.id, {
          name: line.name,
          round: need(rounds.get(line.roundId), `the Round of Capture Point ${line.id} is missing`),
          outcome: null,
        });
        break;
      case 'pass':
        passes.set(line.id, {
          userAgent: line.userAgent,
          host: line.agent,
          load: line.hostLoad,
          round: need(rounds.get(line.roundId), `the Round of Pass ${line.id} is missing`),
          outcome: null,
          received: { bytes: null, objects: null },
          first: null,
        });
        break;
      case 'capture': {
        const owner = passes.get(line.of) ?? points.get(line.of);
        if (owner) owner.outcome = line.outcome;
        break;
      }
      case 'visit': {
        const { visits, evaluation } = need(record, 'its Run is missing');
        const pass = need(passes.get(line.passId), `the Pass of Visit ${line.id} is missing`);
        if (pass.first === null || line.sequence < pass.first.sequence) pass.first = readFirstVisit(line);
        pass.received = addReceived(pass.received, line.readings);
        if (isCounted(pass.round) && line.repetition > 0)
          visits.push(
            toRecordedVisit(line, {
              ...pass,
              isExcluded: excluded.has(line.id),
              causesOf: evaluation.primaryMetric,
            }),
          );
        break;
      }
      default:
    }
  }

  const { evaluation } = need(record, 'its Run is missing');
  const overHttpep = new Set(listHttpepScenarios(evaluation));
  const counted = [...passes.values()].filter(({ round }) => isCounted(round));
  return {
    ...need(record, 'its Run is missing'),
    starts: counted.flatMap(({ round: { block, scenario }, userAgent, first }) => {
      if (first === null) return [];
      const { startedEpochMs, firstRequestEpochMs } = first;
      return [{ block, scenario, userAgent, startedEpochMs, firstRequestEpochMs }];
    }),
    loads: counted.map(({ round: { block, scenario }, host, load }) => ({ block, scenario, host, load })),
    traffic: [...Map.groupBy(counted, ({ round }) => round.id).values()].map((ofRound) =>
      describeRoundTraffic(
        { block: ofRound[0]!.round.block, scenario: ofRound[0]!.round.scenario },
        ofRound.map((pass) => (isShortCapture(pass.outcome, pass.received) ? { ...pass, outcome: null } : pass)),
      ),
    ),
    points: [...points.values()]
      .filter(({ round }) => isCounted(round))
      .map(({ name, round: { block, scenario }, outcome }) => ({
        block,
        scenario,
        point: name,
        captured: describePointTraffic(outcome),
      })),
    httpep: [...rounds.values()]
      .filter((round) => isCounted(round) && overHttpep.has(round.scenario))
      .map(({ id, block, scenario }) => ({
        block,
        scenario,
        counted: describeHttpepTraffic(processes.get(id) ?? []),
      })),
  };
}

interface FirstVisit extends Pick<PassStart, 'startedEpochMs' | 'firstRequestEpochMs'> {
  sequence: number;
}

function readFirstVisit({ sequence, startedEpochMs, requestDelayMs, readings }: VisitLine): FirstVisit {
  const requestStartMs = requestDelayMs ?? readings.requestStartMs ?? null;
  return {
    sequence,
    startedEpochMs,
    firstRequestEpochMs: requestStartMs === null ? null : startedEpochMs + requestStartMs,
  };
}

function isCounted({ state, warmUp }: RoundLine): boolean {
  return state === 'completed' && !warmUp;
}

function toRecordedVisit(
  visit: VisitLine,
  {
    round,
    userAgent,
    isExcluded,
    causesOf,
  }: { round: RoundLine; userAgent: string; isExcluded: boolean; causesOf: LatencyId },
): RecordedVisit {
  const isFailed = visit.status === 'failed';
  const { requestStartMs: requestStartAbsence = 'unsupported', ...absences } = visit.absences;
  const {
    requestStartMs,
    baseMs = null,
    viewportMs = null,
    totalMs = null,
    failedObjectCount = null,
    replayMissCount: misses,
    objectCount: objects = 0,
  } = isFailed ? {} : visit.readings;
  return {
    block: round.block,
    scenario: round.scenario,
    userAgent,
    url: visit.url,
    isFailed,
    isTimedOut: visit.code === 'timeout',
    isExcluded,
    isUnsettled: visit.isSettled === false,
    isHidden: visit.isHidden === true,
    failedObjects: failedObjectCount,
    ...(misses !== undefined && { replay: { misses, objects } }),
    hostDelayMs: visit.hostDelayMs,
    latencies: { baseMs, viewportMs, totalMs },
    absences: isFailed || Object.keys(absences).length === 0 ? null : absences,
    criticalPath:
      visit.causesVersion === causesVersion && visit.criticalPath
        ? movePath(visit.criticalPath, visit.clockOffsetMs)
        : null,
    causes:
      visit.causesVersion === causesVersion
        ? unpackParts(visit.causes === null ? null : Buffer.from(visit.causes, 'base64'), causesOf)
        : null,
    requestStart: requestStartMs === undefined ? { reason: requestStartAbsence } : { value: requestStartMs },
  };
}
