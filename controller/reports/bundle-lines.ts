import { AppError } from '#core/app-error.ts';
import type { SnapshotReader } from '../visits/snapshot-reader.ts';
import type { Queryable } from '../database/queryable.ts';
import { listExclusions } from '../runs/exclusions.ts';
import { readDataVersion } from '../runs/run-facts.ts';
import { lastStart } from '../runs/stop-decisions.ts';

/**
 * All that is stored of a Run, as lines of JSON without the first and the last of a bundle: PostgreSQL writes them, but for compressed Snapshots. No more
 * than one Pass is held in memory. Throws AppError 'conflict' when the Run changed meanwhile.
 */
export async function* readBundleLines(
  db: Queryable,
  { runId, snapshots }: { runId: string; snapshots: SnapshotReader },
): AsyncGenerator<string> {
  const version = await readDataVersion(db, runId);
  yield* await readLines(db, runLine, runId);
  yield* await readLines(db, hostLines, runId);
  for (const exclusion of await listExclusions(db, runId)) yield JSON.stringify({ kind: 'exclusion', ...exclusion });
  for (const round of await readLines(db, roundLines, runId)) {
    yield round;
    const { id: roundId } = JSON.parse(round) as { id: string };
    yield* await readLines(db, scriptLines, roundId);
    yield* await readLines(db, pointLines, roundId);
    for (const pass of await readLines(db, passLines, roundId)) {
      yield pass;
      const { id: passId } = JSON.parse(pass) as { id: string };
      yield* await readLines(db, captureLines, passId);
      yield* readVisitLines(db, { passId, snapshots });
    }
  }
  if ((await readDataVersion(db, runId)) !== version)
    throw new AppError('conflict', `Run ${runId} changed during its export: export it again`);
}

async function readLines(db: Queryable, text: string, id: string): Promise<string[]> {
  const { rows } = await db.query<[string]>({ text, values: [id], rowMode: 'array' });
  return rows.map(([line]) => line);
}

/** A line with a compressed Snapshot is the same, to the byte, as the one that PostgreSQL writes where it has the Snapshot as jsonb. */
async function* readVisitLines(
  db: Queryable,
  { passId, snapshots }: { passId: string; snapshots: SnapshotReader },
): AsyncGenerator<string> {
  const { rows } = await db.query<[line: string, compressed: Buffer | null]>({
    text: visitLines,
    values: [passId],
    rowMode: 'array',
  });
  for (const [line, compressed] of rows)
    yield compressed === null
      ? line
      : `${line.slice(0, -emptySnapshot.length)}${await snapshots.write(compressed, { kind: 'jsonb' })}}`;
}

const emptySnapshot = 'null}';

const runLine = `
  select json_build_object('kind', 'run', 'id', id::text, 'state', state, 'problem', problem, 'seed', seed, 'createdAt', created_at, 'startedAt', started_at,
    'endedAt', ended_at, 'evaluation', document, 'labels', labels, 'ending',
    (select decision from stop_decision where run_id = run.id and decision ->> 'stopReason' is not null and block >= ${lastStart} order by block desc limit 1),
    'added', (select coalesce(json_agg(json_build_object('firstBlock', first_block, 'blocks', blocks, 'requestedBy', requested_by, 'requestedAt', requested_at,
      'startedAt', started_at, 'endedBefore', ended_before) order by number), '[]') from added_rounds where run_id = run.id))::text
  from run where id = $1`;

/** The Agents of the Run, as they reported their hosts when they connected last. */
const hostLines = `
  select json_build_object('kind', 'host', 'name', name, 'agentVersion', agent_version, 'facts', facts, 'lastSeenAt', last_seen_at)::text
  from agent where name in (select agent from pass join round on round.id = round_id where run_id = $1) order by name`;

const roundLines = `
  select json_build_object('kind', 'round', 'id', id, 'index', index, 'block', block, 'scenario', scenario, 'warmUp', warm_up, 'attempt', attempt, 'state', state,
    'problem', problem, 'startSkewMs', start_skew_ms, 'startSkewErrorMs', start_skew_error_ms,
    'firstPacketSkewMs', first_packet_skew_ms, 'firstPacketSkewErrorMs', first_packet_skew_error_ms, 'firstRequestSkewMs', first_request_skew_ms, 'firstRequestSkewErrorMs', first_request_skew_error_ms, 'pageSkewMs', page_skew_ms, 'pageSkewErrorMs', page_skew_error_ms, 'linkCheck', link_check, 'createdAt', created_at, 'endedAt', ended_at)::text
  from round where run_id = $1 order by index, attempt`;

const scriptLines = `
  select json_build_object('kind', 'script', 'roundId', round_id, 'phase', phase, 'host', host, 'script', script, 'exitCode', exit_code, 'isTimedOut', is_timed_out,
    'durationMs', duration_ms, 'output', output, 'endedAt', ended_at)::text
  from script_execution where round_id = $1 order by ended_at, id`;

const captureFields = `'traceSha256', trace_sha256, 'traceBytes', trace_bytes, 'traceRemovedAt', trace_removed_at, 'outcome', outcome, 'visits', visits`;

/** Each Capture Point, and its Capture after it. */
const pointLines = `
  select line from capture_point left join capture on point_id = capture_point.id
  cross join lateral (values
    (1, json_build_object('kind', 'capture-point', 'id', capture_point.id, 'roundId', round_id, 'name', name, 'agent', agent, 'interface', interface, 'filter', filter)::text),
    (2, case when point_id is not null then json_build_object('kind', 'capture', 'of', point_id, ${captureFields})::text end)) as listed (place, line)
  where round_id = $1 and line is not null order by name, place`;

const passLines = `
  select json_build_object('kind', 'pass', 'id', id, 'roundId', round_id, 'userAgent', user_agent, 'agent', agent, 'state', state, 'visitsExpected', visits_expected,
    'engineVersion', engine_version, 'problem', problem, 'hostLoad', host_load)::text
  from pass where round_id = $1 order by user_agent`;

const captureLines = `select json_build_object('kind', 'capture', 'of', pass_id, ${captureFields})::text from capture where pass_id = $1`;

const visitLines = `
  select json_build_object('kind', 'visit', 'id', id, 'passId', pass_id, 'sequence', sequence, 'url', url, 'address', coalesce(address, url), 'repetition', repetition,
    'startedEpochMs', (extract(epoch from started_at) * 1000)::float8, 'clockOffsetMs', clock_offset_ms, 'clockErrorMs', clock_error_ms, 'requestDelayMs', request_delay_ms, 'hostDelayMs', host_delay_ms, 'status', status, 'code', code,
    'detail', detail, 'isSettled', is_settled, 'isHidden', is_hidden, 'metricsVersion', metrics_version, 'readings', readings, 'absences', absences, 'causesVersion', causes_version, 'causes', replace(encode(causes, 'base64'), E'\\n', ''), 'criticalPath', critical_path,
    'snapshot', snapshot.body)::text, snapshot.compressed
  from visit left join snapshot on visit_id = id where pass_id = $1 order by sequence, id`;
