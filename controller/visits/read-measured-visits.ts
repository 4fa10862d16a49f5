import type { MeasuredVisit } from '#controller/reports/measure-run.ts';
import { isMetric, measureIds, type MeasureId, type WireMeasureId } from '#core/metrics/measures.ts';
import type { Queryable } from '../database/queryable.ts';

/** Visits that count: of completed Rounds that are no warm-up, without unmeasured first loads. */
const countedVisits = `
  round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
  where round.run_id = $1 and round.state = 'completed' and not round.warm_up and visit.repetition > 0`;

const wireFields: Record<WireMeasureId, string> = {
  wirePackets: 'packets',
  wireBytes: 'bytes',
  wireSentBytes: 'sentBytes',
  wireReceivedBytes: 'receivedBytes',
  wireSignalling: 'signallingPackets',
  wireConnections: 'openedConnections',
  wireUnusedConnections: 'unusedConnections',
};

/** So many Visits show which measures a Run has. */
const visitsLookedAt = 2000;

export async function countMeasuredVisits(db: Queryable, runId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${countedVisits}`, [runId]);
  return rows[0]!.count;
}

/** Measures of which the first Visits have a value, in the order of the catalogue. */
export async function findMeasures(db: Queryable, runId: string): Promise<MeasureId[]> {
  const { rows } = await db.query<{ key: string; isOfWire: boolean }>(
    `with seen as (
       select visit.readings, capture.visits->(visit.id::text) as wire
       from (select visit.* from ${countedVisits} order by round.index, visit.sequence limit $2) as visit
         left join pass_capture as capture on capture.pass_id = visit.pass_id and not coalesce(is_short, false))
     select distinct key, false as "isOfWire" from seen, jsonb_object_keys(readings) as key
     union select distinct key, true from seen, jsonb_each(wire) as each (key, value) where value <> 'null'`,
    [runId, visitsLookedAt],
  );
  const hasReading = new Set(rows.filter(({ isOfWire }) => !isOfWire).map(({ key }) => key));
  const hasField = new Set(rows.filter(({ isOfWire }) => isOfWire).map(({ key }) => key));
  return measureIds.filter((id) => (isMetric(id) ? hasReading.has(id) : hasField.has(wireFields[id])));
}

type VisitRow = [
  block: number,
  scenario: string,
  userAgent: string,
  url: string,
  status: string,
  isExcluded: boolean,
  failedObjects: number | null,
  ...values: (number | null)[],
];

/** In the order of execution, each with its values of these measures. */
export async function readMeasuredVisits(
  db: Queryable,
  runId: string,
  measures: readonly MeasureId[],
): Promise<MeasuredVisit[]> {
  const needsWire = measures.some((id) => !isMetric(id));
  const columns = measures.map((id) =>
    isMetric(id)
      ? `(visit.readings->>'${id}')::float8`
      : `(capture.visits->(visit.id::text)->>'${wireFields[id]}')::float8`,
  );
  const { rows } = await db.query<VisitRow>({
    text: `select ${['visit.block, visit.scenario, visit.user_agent, visit.url, visit.status, exclusion.id is not null, visit.failed_objects', ...columns].join()}
      from (select visit.*, round.index, round.block, round.scenario, pass.user_agent from ${countedVisits}) as visit
        left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
        ${needsWire ? 'left join pass_capture as capture on capture.pass_id = visit.pass_id and not coalesce(is_short, false)' : ''}
      order by visit.index, visit.user_agent, visit.sequence, visit.id`,
    values: [runId],
    rowMode: 'array',
  });
  return rows.map(([block, scenario, userAgent, url, status, isExcluded, failedObjects, ...values]) => ({
    block,
    scenario,
    userAgent,
    url,
    isFailed: status === 'failed',
    isTimedOut: false,
    isExcluded,
    failedObjects,
    values,
  }));
}
