import type { Pool, PoolClient } from 'pg';
import type { LatencyId } from '#core/metrics/index.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import type { StopCell } from '#core/stop-rule/decide-stop.ts';
import type { Queryable } from '../database/queryable.ts';
import { inTransaction } from '../database/transaction.ts';

/** Blocks in one statement, when there are many to catch up with, and the memory that PostgreSQL may take to sort them. */
const blocksAtOnce = 20;
const workMemory = '64MB';

/**
 * Adds the completed Rounds that are not in the rollups of a Run yet: each once, no matter how often this is called. A Run stored before there were
 * rollups gets them by its first call.
 */
export async function rollUpRun(pool: Pool, runId: string): Promise<void> {
  while (await inTransaction(pool, (client) => rollUpSomeBlocks(client, runId)));
}

/** Brings the rollups up to date after these Visits began to count, or ceased to: in the same transaction, and only the rollups that contain them. */
export async function rollUpAgain(client: PoolClient, runId: string, visitIds: string[]): Promise<void> {
  await holdRollups(client, runId);
  const { rows } = await client.query<{ block: number; scenario: string; url: string }>(
    `select distinct round.block, round.scenario, visit.url
     from visit join pass on pass.id = pass_id join round on round.id = round_id where visit.id = any($1) and rolled_up`,
    [visitIds],
  );
  for (const [scenario, ofScenario] of Map.groupBy(rows, (row) => row.scenario)) {
    const urls = [...new Set(ofScenario.map(({ url }) => url))];
    await client.query('delete from cell_rollup where run_id = $1 and scenario = $2 and url = any($3)', [
      runId,
      scenario,
      urls,
    ]);
    const { rows: rounds } = await client.query<{ id: string }>(
      'select id from round where run_id = $1 and scenario = $2 and rolled_up',
      [runId, scenario],
    );
    await client.query(addToCells, [runId, rounds.map(({ id }) => id), urls]);
    await client.query('delete from http_version_rollup where run_id = $1 and scenario = $2 and url = any($3)', [
      runId,
      scenario,
      urls,
    ]);
    await client.query(addToHttpVersions, [runId, rounds.map(({ id }) => id), urls]);
  }
  const blocks = [...new Set(rows.map(({ block }) => block))];
  if (blocks.length > 0) {
    await client.query('delete from block_rollup where run_id = $1 and block = any($2)', [runId, blocks]);
    await client.query(replaceBlocks, [runId, blocks, null]);
  }
}

/** Until the end of the transaction, nobody else changes the rollups of this Run. A Controller that is halted in it keeps the next owner from them for five seconds. */
async function holdRollups(client: PoolClient, runId: string): Promise<void> {
  await client.query(
    `select set_config('idle_in_transaction_session_timeout', '5s', true), pg_advisory_xact_lock(hashtext('rollup'), hashtext($1))`,
    [runId],
  );
}

/** False when nothing was left to do. */
async function rollUpSomeBlocks(client: PoolClient, runId: string): Promise<boolean> {
  await holdRollups(client, runId);
  const { rows: fresh } = await client.query<{ id: string; block: number }>(
    `with fresh as (select id, block from round where run_id = $1 and state = 'completed' and not warm_up and not rolled_up)
     select id, block from fresh where block in (select distinct block from fresh order by block limit $2)`,
    [runId, blocksAtOnce],
  );
  if (fresh.length === 0) return false;
  await client.query(`set local work_mem = '${workMemory}'`);
  const rounds = fresh.map(({ id }) => id);
  await client.query(addToCells, [runId, rounds, null]);
  await client.query(addToHttpVersions, [runId, rounds, null]);
  await client.query(replaceBlocks, [runId, [...new Set(fresh.map(({ block }) => block))], null]);
  await client.query('update round set rolled_up = true where id = any($1)', [rounds]);
  return true;
}

/** The Visits of the `counted` Rounds that count; of the URLs $3 where they are named. */
const countedVisits = `
  counted join pass on pass.round_id = counted.id join visit on visit.pass_id = pass.id
  where visit.repetition > 0 and ($3::text[] is null or visit.url = any($3)) and not exists (select from exclusion where visit_id = visit.id and reversed_at is null)`;

/** A line per (User Agent, URL) of each of the `counted` Rounds and latency. */
const cellsOfRounds = `
  select block, scenario, user_agent, url, metric, visits, failed_visits, visits - failed_visits - values as absent_visits, mean
  from (
    select counted.block, counted.scenario, pass.user_agent, visit.url, count(*) as visits, count(*) filter (where status = 'failed') as failed_visits,
      avg(base_ms) as base_ms, count(base_ms) as base_count, avg(viewport_ms) as viewport_ms, count(viewport_ms) as viewport_count,
      avg(total_ms) as total_ms, count(total_ms) as total_count
    from ${countedVisits}
    group by counted.block, counted.scenario, pass.user_agent, visit.url) as cell
  cross join lateral (values ('baseMs', base_ms, base_count), ('viewportMs', viewport_ms, viewport_count), ('totalMs', total_ms, total_count)) as latency (metric, mean, values)`;

/** Means and squares of two sets of Rounds are put together as Chan, Golub and LeVeque (1983) do. */
const addToCells = `
  with counted as (select * from round where run_id = $1 and id = any($2)), cells as (${cellsOfRounds}),
  pooled as (
    select block, scenario, null::text as user_agent, url, metric, sum(visits) as visits, sum(failed_visits) as failed_visits,
      sum(absent_visits) as absent_visits, avg(mean) as mean
    from cells group by block, scenario, url, metric),
  every as (select * from cells union all select * from pooled)
  insert into cell_rollup as known (run_id, scenario, user_agent, url, metric, visits, failed_visits, absent_visits, rounds, mean, squares)
  select $1, scenario, user_agent, url, metric, sum(visits), sum(failed_visits), sum(absent_visits), count(mean), avg(mean), coalesce(var_pop(mean) * count(mean), 0)
  from every group by scenario, user_agent, url, metric
  on conflict (run_id, metric, user_agent, url, scenario) do update set
    visits = known.visits + excluded.visits,
    failed_visits = known.failed_visits + excluded.failed_visits,
    absent_visits = known.absent_visits + excluded.absent_visits,
    rounds = known.rounds + excluded.rounds,
    mean = case when known.rounds = 0 then excluded.mean when excluded.rounds = 0 then known.mean
      else known.mean + (excluded.mean - known.mean) * excluded.rounds / (known.rounds + excluded.rounds) end,
    squares = known.squares + excluded.squares + case when known.rounds = 0 or excluded.rounds = 0 then 0
      else (excluded.mean - known.mean) ^ 2 * known.rounds * excluded.rounds / (known.rounds + excluded.rounds) end`;

const addToHttpVersions = `
  with counted as (select * from round where run_id = $1 and id = any($2)),
  used as (select counted.scenario, visit.url, visit.http_versions from ${countedVisits} and visit.http_versions is not null)
  insert into http_version_rollup as known (run_id, scenario, url, version, objects)
  select $1, scenario, url, version, sum(objects::int)
  from used cross join jsonb_each_text(http_versions) as each (version, objects) group by scenario, url, version
  on conflict (run_id, scenario, url, version) do update set objects = known.objects + excluded.objects`;

/** A Block is computed again with each of its Rounds: the baseline may come first or last in it. */
const replaceBlocks = `
  with counted as (select * from round where run_id = $1 and block = any($2) and state = 'completed' and not warm_up),
  cells as (${cellsOfRounds}),
  arms as (
    select arm ->> 'name' as scenario, coalesce(arm ->> 'group', '') as arm_group, (arm -> 'baseline')::boolean as is_baseline
    from run, jsonb_array_elements(document -> 'scenarios') as arm where id = $1),
  pairs as (
    select cells.*, is_baseline, max(mean) filter (where is_baseline) over (partition by block, arm_group, user_agent, url, metric) as baseline_mean
    from cells join arms using (scenario))
  insert into block_rollup (run_id, block, scenario, metric, visits, failed_visits, absent_visits, mean, log_ratio)
  select $1, block, scenario, metric, sum(visits), sum(failed_visits), sum(absent_visits), avg(mean),
    avg(ln(mean / baseline_mean)) filter (where mean > 0 and baseline_mean > 0 and not is_baseline)
  from pairs group by block, scenario, metric
  on conflict (run_id, metric, scenario, block) do update set
    visits = excluded.visits, failed_visits = excluded.failed_visits, absent_visits = excluded.absent_visits, mean = excluded.mean, log_ratio = excluded.log_ratio`;

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
