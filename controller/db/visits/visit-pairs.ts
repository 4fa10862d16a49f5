import type { LatencyId } from '#core/metrics/catalogue.ts';
import { VisitPairsSchema, type VisitPairs } from '#core/protocol/api/visit-pairs.ts';
import type { Queryable } from '../connection/queryable.ts';

interface PairOptions {
  runId: string;
  url: string;
  /** The two Scenarios. */
  first: string;
  second: string;
  /** Null: all. */
  userAgent: string | null;
  metric: LatencyId;
  limit: number;
}

/** The Visits of a page under two Scenarios, as the report counts them, by Block; and those of the median latency. */
export async function findVisitPairs(
  db: Queryable,
  { runId, url, first, second, userAgent, metric, limit }: PairOptions,
): Promise<VisitPairs> {
  const { rows } = await db.query<{ found: { pairs: unknown[]; first: unknown; second: unknown } }>(
    `with counted as (
       select visit.id, block, scenario, user_agent, repetition, (readings->>$6)::float8 as ms
       from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
         left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
       where run_id = $1 and url = $2 and scenario in ($3, $4) and ($5::text is null or user_agent = $5)
         and round.state = 'completed' and not warm_up and repetition > 0
         and status = 'ok' and exclusion.id is null and readings ? $6
     ), pair as (
       select one.block, one.user_agent, one.repetition,
         jsonb_build_object('id', one.id, 'valueMs', one.ms) as first, jsonb_build_object('id', other.id, 'valueMs', other.ms) as second
       from counted one join counted other using (block, user_agent, repetition)
       where one.scenario = $3 and other.scenario = $4
       order by one.block, one.user_agent, one.repetition, one.id, other.id limit $7
     )
     select jsonb_build_object(
       'pairs', (select coalesce(jsonb_agg(jsonb_build_object('block', block, 'userAgent', user_agent, 'repetition', repetition, 'first', first, 'second', second)
         order by block, user_agent, repetition), '[]') from pair),
       'first', (select jsonb_build_object('id', id, 'valueMs', ms) from counted where scenario = $3
         order by ms, id offset (select greatest(0, (count(*) - 1) / 2) from counted where scenario = $3) limit 1),
       'second', (select jsonb_build_object('id', id, 'valueMs', ms) from counted where scenario = $4
         order by ms, id offset (select greatest(0, (count(*) - 1) / 2) from counted where scenario = $4) limit 1)
     ) as found`,
    [runId, url, first, second, userAgent, metric, limit + 1],
  );
  const found = rows[0]!.found;
  return VisitPairsSchema.parse({
    pairs: found.pairs.slice(0, limit),
    hasMore: found.pairs.length > limit,
    median: found.first && found.second ? { first: found.first, second: found.second } : null,
  });
}
