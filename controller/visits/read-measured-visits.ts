import type { MeasuredVisit } from '#controller/reports/measure-run.ts';
import { isMetric, measureIds, type MeasureId, type WireMeasureId } from '#core/metrics/measures.ts';
import type { Queryable } from '../database/queryable.ts';
import { countedPasses } from '../runs/round-views.ts';
import { latencyColumns, readVisitsByPass } from './visits-by-pass.ts';

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

/** Whether a Run may have more Visits that count than these, by what is stored of its Passes: without reading Visits. */
export async function mayHaveMoreVisits(db: Queryable, runId: string, most: number): Promise<boolean> {
  const { rows } = await db.query<{ made: number }>(
    `select coalesce(sum(made), 0)::int as made from (${countedPasses} and round.state = 'completed' and not round.warm_up) as pass`,
    [runId],
  );
  return rows[0]!.made > most;
}

export async function countMeasuredVisits(db: Queryable, runId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${countedVisits}`, [runId]);
  return rows[0]!.count;
}

/** Measures of which the first Visits have a value, in the order of the catalogue. */
export async function findMeasures(db: Queryable, runId: string): Promise<MeasureId[]> {
  const { rows } = await db.query<{ key: string; isOfWire: boolean }>(
    `with seen as (
       select visit.readings, capture.visits->(visit.id::text) as wire
       from (
         select visit.* from (select id as of_round, index from round where run_id = $1 and state = 'completed' and not warm_up) as counted
           cross join lateral (
             select visit.* from pass join visit on visit.pass_id = pass.id where round_id = of_round and repetition > 0 order by sequence limit $2) as visit
         order by index, sequence limit $2) as visit
         left join pass_capture as capture on capture.pass_id = visit.pass_id and not coalesce(is_short, false))
     select distinct key, false as "isOfWire" from seen, jsonb_object_keys(readings) as key
     union select distinct key, true from seen, jsonb_each(wire) as each (key, value) where value <> 'null'`,
    [runId, visitsLookedAt],
  );
  const hasReading = new Set(rows.filter(({ isOfWire }) => !isOfWire).map(({ key }) => key));
  const hasField = new Set(rows.filter(({ isOfWire }) => isOfWire).map(({ key }) => key));
  return measureIds.filter((id) => (isMetric(id) ? hasReading.has(id) : hasField.has(wireFields[id])));
}

/** The captured packets of a Visit, as JSON. */
const joinedWire = `left join (
  select pass_id as captured_pass_id, visits as wire_of_visits from pass_capture where not coalesce(is_short, false)) as captured on captured_pass_id = visit.pass_id`;

/** In the order of execution, each with its values of these measures. */
export async function readMeasuredVisits(
  db: Queryable,
  runId: string,
  measures: readonly MeasureId[],
): Promise<MeasuredVisit[]> {
  const passes = await readVisitsByPass(db, {
    runId,
    numbers: {
      failedObjects: 'failed_objects',
      ...Object.fromEntries(measures.map((id, index) => [`value ${index}`, selectMeasure(id)])),
    },
    joined: measures.every(isMetric) ? '' : joinedWire,
  });
  return passes.flatMap((pass) => {
    const { block, scenario, userAgent } = pass;
    const failedObjects = pass.reader('failedObjects');
    const values = measures.map((_, index) => pass.reader(`value ${index}`));
    return pass.urls.map((url, place) => ({
      block,
      scenario,
      userAgent,
      url,
      isFailed: pass.is('isFailed', place),
      isTimedOut: false,
      isExcluded: pass.is('isExcluded', place),
      failedObjects: failedObjects(place),
      values: values.map((valueOf) => valueOf(place)),
    }));
  });
}

const columnOf: Partial<Record<MeasureId, string>> = latencyColumns;

function selectMeasure(id: MeasureId): string {
  return isMetric(id) ? (columnOf[id] ?? `readings->>'${id}'`) : `wire_of_visits->(id::text)->>'${wireFields[id]}'`;
}
