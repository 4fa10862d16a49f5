import type { LatencyId } from '#core/metrics/index.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import type { StopCell } from '#core/stop-rule/target-half-width.ts';
import type { Queryable } from '../database/queryable.ts';

/** The cells that the stop rule looks at, from the rollups as they are. */
export async function readStopCells(db: Queryable, runId: string, metrics: readonly LatencyId[]): Promise<StopCell[]> {
  const { rows } = await db.query<Omit<StopCell, 'rounds'> & { count: number; mean: number | null; squares: number }>(
    `select metric, scenario, user_agent as "userAgent", url, rounds as count, mean, squares
     from cell_rollup where run_id = $1 and user_agent is not null and metric = any($2) order by metric, scenario, user_agent, url`,
    [runId, metrics],
  );
  return rows.map(({ count, mean, squares, ...cell }) => ({
    ...cell,
    rounds: mean === null ? null : summaryOf({ count, mean, squares }),
  }));
}

export interface PooledCellRow {
  metric: LatencyId;
  scenario: string;
  url: string;
  visits: number;
  failedVisits: number;
  absentVisits: number;
  /** Rounds with a value. */
  count: number;
  mean: number | null;
  squares: number;
}

/** One URL under one Scenario, over all User Agents, in the order of the URLs. */
export async function readPooledCells(db: Queryable, runId: string): Promise<PooledCellRow[]> {
  const { rows } = await db.query<PooledCellRow>(
    `select metric, scenario, url, visits, failed_visits as "failedVisits", absent_visits as "absentVisits", rounds as count, mean, squares
     from cell_rollup where run_id = $1 and user_agent is null order by metric, url, scenario`,
    [runId],
  );
  return rows;
}

export interface BlockRow {
  metric: LatencyId;
  scenario: string;
  visits: number;
  failedVisits: number;
  absentVisits: number;
  mean: number | null;
  logRatio: number | null;
}

/** Every Scenario of every Block, in the order of the Blocks. */
export async function readBlocks(db: Queryable, runId: string): Promise<BlockRow[]> {
  const { rows } = await db.query<BlockRow>(
    `select metric, scenario, visits, failed_visits as "failedVisits", absent_visits as "absentVisits", mean, log_ratio as "logRatio"
     from block_rollup where run_id = $1 order by metric, scenario, block`,
    [runId],
  );
  return rows;
}

/** By which versions of HTTP the objects of each Scenario came, the most frequent first. */
export async function readHttpVersions(db: Queryable, runId: string): Promise<RunMethod['httpVersions']> {
  const { rows } = await db.query<RunMethod['httpVersions'][number]>(
    `select scenario, version, sum(objects)::float8 as objects from http_version_rollup where run_id = $1 group by scenario, version order by scenario, objects desc, version`,
    [runId],
  );
  return rows;
}

export function summaryOf({
  count,
  mean,
  squares,
}: {
  count: number;
  mean: number;
  squares: number;
}): NonNullable<StopCell['rounds']> {
  return { count, mean, standardDeviation: count > 1 ? Math.sqrt(squares / (count - 1)) : null };
}
