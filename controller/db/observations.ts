import type { LatencyId } from '#core/metrics/catalogue.ts';
import type { Queryable } from './queryable.ts';

/** A Visit that counts, with its three latencies; null where absent. */
export interface CountedVisit {
  block: number;
  scenario: string;
  userAgent: string;
  url: string;
  isFailed: boolean;
  latencies: Record<LatencyId, number | null>;
}

/** The Visits of completed Rounds, without warm-up Rounds and unmeasured first loads. */
export async function readCountedVisits(db: Queryable, runId: string): Promise<CountedVisit[]> {
  const { rows } = await db.query<Omit<CountedVisit, 'latencies'> & Record<LatencyId, number | null>>(
    `select round.block, round.scenario, pass.user_agent as "userAgent", visit.url, visit.status = 'failed' as "isFailed",
       (readings->'baseMs')::float8 as "baseMs", (readings->'viewportMs')::float8 as "viewportMs", (readings->'totalMs')::float8 as "totalMs"
     from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
     where round.run_id = $1 and round.state = 'completed' and not round.warm_up and visit.repetition > 0
     order by round.index, pass.user_agent, visit.sequence`,
    [runId],
  );
  return rows.map(({ baseMs, viewportMs, totalMs, ...visit }) => ({
    ...visit,
    latencies: visit.isFailed ? { baseMs: null, viewportMs: null, totalMs: null } : { baseMs, viewportMs, totalMs },
  }));
}

export interface RunQuality {
  roundsCounted: number;
  roundsBroken: number;
  warmUpRounds: number;
  unsettledVisits: number;
  hiddenVisits: number;
  largestStartSkewMs: number | null;
}

/** How the Run went, for the small print of its report. */
export async function readRunQuality(db: Queryable, runId: string): Promise<RunQuality> {
  const { rows } = await db.query<RunQuality>(
    `with counted as (select * from round where run_id = $1 and state = 'completed' and not warm_up),
     visits as (
       select visit.* from counted join pass on pass.round_id = counted.id join visit on visit.pass_id = pass.id where visit.repetition > 0)
     select
       (select count(*)::int from counted) as "roundsCounted",
       (select max(start_skew_ms) from counted) as "largestStartSkewMs",
       (select count(*)::int from round where run_id = $1 and state = 'broken') as "roundsBroken",
       (select count(*)::int from round where run_id = $1 and state = 'completed' and warm_up) as "warmUpRounds",
       (select count(*)::int from visits where is_settled = false) as "unsettledVisits",
       (select count(*)::int from visits where is_hidden) as "hiddenVisits"`,
    [runId],
  );
  return rows[0]!;
}
