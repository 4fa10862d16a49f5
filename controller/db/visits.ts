import { metricsVersion } from '#core/metrics/catalogue.ts';
import { countHttpVersions } from '#core/metrics/count-http-versions.ts';
import type { Reading } from '#core/metrics/reading.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { Queryable } from './connection/queryable.ts';
import { formatStorableJson } from './connection/storable-json.ts';

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

/** Those of these Passes that an Agent was ordered to make, by id: it may store Visits of no other. */
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
    'select pass.id, run_id, scenario, user_agent, visits_expected from pass join round on round.id = round_id where agent = $1 and pass.id = any($2)',
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

/** Stores Visits with their Snapshots in one statement; those that are stored already (same id) are left as they are. A Run that has ended is another one with Visits that came late. */
export async function storeVisits(db: Queryable, visits: readonly DerivedVisit[]): Promise<void> {
  await storeVisitRows(db, visits.map(formatVisitRow));
}

/** A Visit as `storeVisitRows` takes it: JSON. */
export function formatVisitRow(visit: DerivedVisit): string {
  return formatStorableJson(toRow(visit));
}

/** As `storeVisits`. */
export async function storeVisitRows(db: Queryable, rows: readonly string[]): Promise<void> {
  await db.query(
    `with incoming as (
       select * from jsonb_to_recordset($1::jsonb) as incoming (
         id uuid, pass_id uuid, sequence int, url text, address text, repetition int, started_epoch_ms float8, clock_offset_ms float8, clock_error_ms float8,
         status text, code text, detail text, is_settled boolean, is_hidden boolean, readings jsonb, absences jsonb, screenshot jsonb, filmstrip jsonb, http_versions jsonb, snapshot jsonb)),
     stored as (
       insert into visit (id, pass_id, sequence, url, address, repetition, started_at, clock_offset_ms, clock_error_ms, status, code, detail,
         is_settled, is_hidden, metrics_version, readings, absences, screenshot, filmstrip, http_versions)
       select id, pass_id, sequence, url, address, repetition, to_timestamp(started_epoch_ms / 1000), clock_offset_ms, clock_error_ms, status, code, detail,
         is_settled, is_hidden, $2, readings, absences, screenshot, filmstrip, http_versions
       from incoming
       on conflict do nothing
       returning id, pass_id),
     late as (
       update run set revision = revision + 1
       where ended_at is not null and id in (select run_id from stored join pass on pass.id = pass_id join round on round.id = round_id))
     insert into snapshot (visit_id, body)
     select incoming.id, snapshot from incoming join stored using (id) where snapshot is not null
     on conflict do nothing`,
    [`[${rows.join(',')}]`, metricsVersion],
  );
}

function toRow({ visit, page = visit.url, readings }: DerivedVisit): Record<string, unknown> {
  const { outcome } = visit;
  const { snapshot } = outcome;
  return {
    id: visit.id,
    pass_id: visit.passId,
    sequence: visit.sequence,
    url: page,
    address: visit.url === page ? null : visit.url,
    repetition: visit.repetition,
    started_epoch_ms: visit.startedEpochMs,
    clock_offset_ms: visit.clockOffsetMs,
    clock_error_ms: visit.clockErrorMs,
    status: outcome.status,
    code: outcome.status === 'failed' ? outcome.code : null,
    detail: outcome.status === 'failed' ? outcome.detail : null,
    is_settled: snapshot?.settled ?? null,
    is_hidden: snapshot?.frames.some((frame) => frame.path.length === 0 && frame.wasEverHidden) ?? null,
    readings: Object.fromEntries(
      readings.flatMap((reading) => (reading.kind === 'measured' ? [[reading.metric, reading.value]] : [])),
    ),
    absences: Object.fromEntries(
      readings.flatMap((reading) => (reading.kind === 'absent' ? [[reading.metric, reading.reason]] : [])),
    ),
    screenshot: visit.screenshot ?? null,
    filmstrip: visit.filmstrip ?? null,
    http_versions: snapshot && countHttpVersions(snapshot),
    snapshot,
  };
}
