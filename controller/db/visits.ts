import { metricsVersion } from '#core/metrics/catalogue.ts';
import { countHttpVersions } from '#core/metrics/count-http-versions.ts';
import type { Reading } from '#core/metrics/reading.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { Queryable } from './connection/queryable.ts';
import { formatStorableJson, replaceUnstorable } from './connection/storable-json.ts';

/** A Visit with what was derived from its Snapshot. */
export interface DerivedVisit {
  visit: Visit;
  /** Without it, the address that was loaded. */
  page?: string;
  readings: Reading[];
}

/** A Pass that an Agent was ordered to make. */
export interface OrderedPass {
  runId: string;
  scenario: string;
  userAgent: string;
  visitsExpected: number;
}

/** Those of these Passes that an Agent was ordered to make, by id: it may store Visits of no other, and none of a Run whose Visits were deleted. */
export async function findOrderedPasses(
  db: Queryable,
  agent: string,
  passIds: string[],
): Promise<Map<string, OrderedPass>> {
  const { rows } = await db.query<{
    id: string;
    run_id: string;
    scenario: string;
    user_agent: string;
    visits_expected: number;
  }>(
    'select pass.id, run_id, scenario, user_agent, visits_expected from pass join round on round.id = round_id join run on run.id = run_id where agent = $1 and pass.id = any($2) and deleted_at is null and visits_deleted_at is null',
    [agent, passIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { runId: row.run_id, scenario: row.scenario, userAgent: row.user_agent, visitsExpected: row.visits_expected },
    ]),
  );
}

/** The ids of the stored Visits of these Passes with these sequences, by `passId/sequence`. */
export async function findVisitsMade(
  db: Queryable,
  { passIds, sequences }: { passIds: string[]; sequences: number[] },
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; key: string }>(
    `select id, pass_id || '/' || sequence as key from visit where pass_id = any($1) and sequence = any($2)`,
    [passIds, sequences],
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
  snapshot: 'jsonb',
} as const;
type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];

/** A Visit as it is stored. */
export type VisitRow = { id: string } & Record<Column, string | number | boolean | null>;

const storeStatement = `
  with incoming as (
    select * from unnest(${names.map((name, index) => `$${index + 2}::${columns[name]}[]`).join(', ')}) as incoming (${names.join(', ')})),
  stored as (
    insert into visit (id, pass_id, sequence, url, address, repetition, started_at, clock_offset_ms, clock_error_ms, status, code, detail,
      is_settled, is_hidden, metrics_version, readings, absences, screenshot, filmstrip, http_versions)
    select id, pass_id, sequence, url, address, repetition, to_timestamp(started_epoch_ms / 1000), clock_offset_ms, clock_error_ms, status, code, detail,
      is_settled, is_hidden, $1, readings, absences, screenshot, filmstrip, http_versions
    from incoming
    on conflict do nothing
    returning id, pass_id),
  late as (
    update run set revision = revision + 1
    where ended_at is not null and id in (select run_id from stored join pass on pass.id = pass_id join round on round.id = round_id))
  insert into snapshot (visit_id, body)
  select incoming.id, snapshot from incoming join stored using (id) where snapshot is not null
  on conflict do nothing`;

/** Stores Visits with their Snapshots; those that are stored already (same id) are left as they are. A Run that has ended is another one with Visits that came late. */
export async function storeVisits(db: Queryable, visits: readonly DerivedVisit[]): Promise<void> {
  await storeVisitRows(db, visits.map(toVisitRow));
}

/** As `storeVisits`, in one statement. */
export async function storeVisitRows(db: Queryable, rows: readonly VisitRow[]): Promise<void> {
  await db.query(storeStatement, [metricsVersion, ...names.map((name) => rows.map((row) => row[name]))]);
}

export function toVisitRow({ visit, page = visit.url, readings }: DerivedVisit): VisitRow {
  const { outcome } = visit;
  const { snapshot } = outcome;
  return {
    id: visit.id,
    pass_id: visit.passId,
    sequence: visit.sequence,
    url: replaceUnstorable(page),
    address: visit.url === page ? null : replaceUnstorable(visit.url),
    repetition: visit.repetition,
    started_epoch_ms: visit.startedEpochMs,
    clock_offset_ms: visit.clockOffsetMs,
    clock_error_ms: visit.clockErrorMs,
    status: outcome.status,
    code: outcome.status === 'failed' ? outcome.code : null,
    detail: outcome.status === 'failed' ? replaceUnstorable(outcome.detail) : null,
    is_settled: snapshot?.settled ?? null,
    is_hidden: snapshot?.frames.some((frame) => frame.path.length === 0 && frame.wasEverHidden) ?? null,
    readings: formatStorableJson(
      Object.fromEntries(
        readings.flatMap((reading) => (reading.kind === 'measured' ? [[reading.metric, reading.value]] : [])),
      ),
    ),
    absences: formatStorableJson(
      Object.fromEntries(
        readings.flatMap((reading) => (reading.kind === 'absent' ? [[reading.metric, reading.reason]] : [])),
      ),
    ),
    screenshot: visit.screenshot ? formatStorableJson(visit.screenshot) : null,
    filmstrip: visit.filmstrip ? formatStorableJson(visit.filmstrip) : null,
    http_versions: snapshot && formatStorableJson(countHttpVersions(snapshot)),
    snapshot: snapshot && formatStorableJson(snapshot),
  };
}
