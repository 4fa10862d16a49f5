import { causesVersion } from '#core/causes/causes.ts';
import { metricsVersion, type Reading } from '#core/metrics/index.ts';
import { toSentVisit, type SentVisit } from '#core/protocol/sent-visit.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { compressSnapshot } from './compressed-snapshot.ts';
import type { Queryable } from '../database/queryable.ts';
import { formatStorableJson, replaceUnstorable } from '../database/storable-json.ts';
import { describeSnapshot, type SnapshotColumns } from './snapshot-columns.ts';

/** A Visit, and the Readings that were derived from its Snapshot. */
export interface DerivedVisit {
  visit: Visit;
  readings: Reading[];
}

/** A Pass that an Agent was ordered to make. */
export interface OrderedPass {
  agent: string;
  runId: string;
  scenario: string;
  userAgent: string;
  visitsExpected: number;
}

/** Those of these Passes that Agents were ordered to make, by id. None of a Run whose Visits were deleted: no Visit of it may be stored. */
export async function findOrderedPasses(db: Queryable, passIds: readonly string[]): Promise<Map<string, OrderedPass>> {
  const { rows } = await db.query<{
    id: string;
    agent: string;
    run_id: string;
    scenario: string;
    user_agent: string;
    visits_expected: number;
  }>(
    `select pass.id, agent, run_id, scenario, user_agent, visits_expected
     from pass join round on round.id = round_id join run on run.id = run_id
     where pass.id = any($1) and deleted_at is null and visits_deleted_at is null`,
    [passIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        agent: row.agent,
        runId: row.run_id,
        scenario: row.scenario,
        userAgent: row.user_agent,
        visitsExpected: row.visits_expected,
      },
    ]),
  );
}

/** The ids of the stored Visits of these Passes with these sequences, by `passId/sequence`. */
export async function findVisitsMade(
  db: Queryable,
  visits: readonly { passId: string; sequence: number }[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; key: string }>(
    `select id, pass_id || '/' || sequence as key
     from visit join unnest($1::uuid[], $2::int[]) as wanted (pass_id, sequence) using (pass_id, sequence)`,
    [visits.map(({ passId }) => passId), visits.map(({ sequence }) => sequence)],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** What is stored of each Visit, as one array of a statement each, with its type in PostgreSQL. */
const columns = {
  id: 'uuid',
  pass_id: 'uuid',
  sequence: 'int',
  url: 'text',
  address: 'text',
  repetition: 'int',
  started_epoch_ms: 'float8',
  clock_offset_ms: 'float8',
  clock_error_ms: 'float8',
  status: 'text',
  code: 'text',
  detail: 'text',
  is_settled: 'boolean',
  is_hidden: 'boolean',
  readings: 'jsonb',
  absences: 'jsonb',
  screenshot: 'jsonb',
  filmstrip: 'jsonb',
  http_versions: 'jsonb',
  request_delay_ms: 'float8',
  host_delay_ms: 'float8',
  causes: 'text',
  critical_path: 'text',
} as const;
type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];

/** A Visit as it is stored. */
export type VisitRow = { id: string; snapshot: Uint8Array | null } & Record<Column, string | number | boolean | null>;

/** Snapshots are one value, of which each Visit has a part: in an array their bytes would be text. */
const storeStatement = `
  with incoming as (
    select * from unnest(${names.map((name, index) => `$${index + 5}::${columns[name]}[]`).join(', ')}, $3::int[], $4::int[])
      as incoming (${names.join(', ')}, snapshot_start, snapshot_bytes)),
  stored as (
    insert into visit (id, pass_id, sequence, url, address, repetition, started_at, clock_offset_ms, clock_error_ms, status, code, detail,
      is_settled, is_hidden, metrics_version, readings, absences, screenshot, filmstrip, http_versions, request_delay_ms, host_delay_ms, causes, critical_path, causes_version)
    select id, pass_id, sequence, url, address, repetition, to_timestamp(started_epoch_ms / 1000), clock_offset_ms, clock_error_ms, status, code, detail,
      is_settled, is_hidden, $1, readings, absences, screenshot, filmstrip, http_versions, request_delay_ms, host_delay_ms, causes::bytea, critical_path::float8[], case when causes is not null then ${causesVersion} end
    from incoming
    on conflict do nothing
    returning id, pass_id),
  late as (
    update run set revision = revision + 1
    where ended_at is not null and id in (select run_id from stored join pass on pass.id = pass_id join round on round.id = round_id)),
  uncounted as (
    update pass set visits_made = null, visits_failed = null, visits_unsettled = null, failures = null
    where visits_made is not null and id in (select pass_id from stored))
  insert into snapshot (visit_id, compressed)
  select incoming.id, substring($2::bytea from snapshot_start for snapshot_bytes)
  from incoming join stored using (id) where snapshot_bytes is not null
  on conflict do nothing`;

/** Stores Visits with their Snapshots; those that are stored already (same id) are left as they are. Visits that come after the end of their Run raise its revision, and their Passes are counted again. */
export async function storeVisits(db: Queryable, visits: readonly DerivedVisit[]): Promise<void> {
  await storeVisitRows(
    db,
    visits.map(({ visit, readings }) => {
      const snapshot = visit.outcome.snapshot && compressSnapshot(visit.outcome.snapshot);
      const described = describeSnapshot(visit.outcome.snapshot, readings);
      return toVisitRow({ visit: toSentVisit(visit, snapshot), page: visit.url, described, snapshot });
    }),
  );
}

/** As `storeVisits`, in one statement. */
export async function storeVisitRows(db: Queryable, rows: readonly VisitRow[]): Promise<void> {
  const snapshots: Uint8Array[] = [];
  let bytes = 0;
  const starts = rows.map(({ snapshot }) => {
    const start = bytes + 1; // PostgreSQL counts from 1
    if (snapshot) {
      snapshots.push(snapshot);
      bytes += snapshot.length;
    }
    return start;
  });
  await db.query(storeStatement, [
    metricsVersion,
    Buffer.concat(snapshots, bytes),
    starts,
    rows.map(({ snapshot }) => snapshot?.length ?? null),
    ...names.map((name) => rows.map((row) => row[name])),
  ]);
}

/** `page`: as its list has it. `snapshot`: compressed. */
export function toVisitRow({
  visit,
  page,
  described,
  snapshot,
}: {
  visit: SentVisit;
  page: string;
  described: SnapshotColumns;
  snapshot: Uint8Array | null;
}): VisitRow {
  const { outcome, screenshot, filmstrip, startedEpochMs, clockOffsetMs } = visit;
  const { first_sent_epoch_ms: sentEpochMs, ...ofSnapshot } = described;
  return {
    id: visit.id,
    pass_id: visit.passId,
    sequence: visit.sequence,
    url: replaceUnstorable(page),
    address: visit.url === page ? null : replaceUnstorable(visit.url),
    repetition: visit.repetition,
    started_epoch_ms: startedEpochMs,
    clock_offset_ms: clockOffsetMs,
    clock_error_ms: visit.clockErrorMs,
    status: outcome.status,
    code: outcome.status === 'failed' ? outcome.code : null,
    detail: outcome.status === 'failed' ? replaceUnstorable(outcome.detail) : null,
    screenshot: screenshot ? formatStorableJson(screenshot) : null,
    filmstrip: filmstrip ? formatStorableJson(filmstrip) : null,
    request_delay_ms: sentEpochMs === null ? null : sentEpochMs + clockOffsetMs - startedEpochMs,
    host_delay_ms: visit.hostDelayMs ?? null,
    ...ofSnapshot,
    snapshot,
  };
}
