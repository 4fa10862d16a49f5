import type { Pool } from 'pg';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { countVisitsOfPass } from '#controller/runs/round-views.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';

export interface RunSize {
  urls: number;
  scenarios: number;
  userAgents: number;
  blocks: number;
}

interface LargeRunOptions {
  /** False where many Runs are stored, and one vacuum comes after them. */
  vacuum?: boolean;
  /** JSON of what each Visit has beside its latencies, by default nothing. */
  readings?: string;
  absences?: string;
}

/**
 * Stores a completed Run of that size, made by SQL alone: lognormal latencies, each Scenario 2 % faster than the one before, 1 in 500 Visits
 * failed. Without Snapshots, which no report reads. What became of the Visits of each Pass is stored, as with each completed Round.
 */
export async function storeLargeRun(
  pool: Pool,
  { urls, scenarios, userAgents, blocks }: RunSize,
  { vacuum = true, readings = '{}', absences = '{}' }: LargeRunOptions = {},
): Promise<string> {
  const evaluation = EvaluationSchema.parse({
    name: 'A large Run',
    urlLists: { pages: [`http://origin.test/{1..${urls}}`] },
    userAgents: Array.from({ length: userAgents }, (_, index) => ({
      name: `user ${index + 1}`,
      host: 'laptop',
      urlList: 'pages',
    })),
    scenarios: Array.from({ length: scenarios }, (_, index) => ({
      name: `scenario ${index + 1}`,
      baseline: index === 0,
    })),
    repetition: { rounds: blocks, warmUp: false },
  });
  const { id: evaluationId } = await createEvaluation(pool, evaluation);
  const runId = await createRun(pool, { evaluationId, evaluation, seed: 7, roundsPlanned: blocks * scenarios });
  await pool.query(
    `insert into round (run_id, index, block, scenario, warm_up, attempt, state, start_skew_ms)
     select $1, (block - 1) * $3 + scenario - 1, block, 'scenario ' || scenario, false, 1, 'completed', random() * 10
     from generate_series(1, $2::int) as block, generate_series(1, $3::int) as scenario`,
    [runId, blocks, scenarios],
  );
  await pool.query(
    `insert into pass (id, round_id, user_agent, agent, state, visits_expected)
     select gen_random_uuid(), round.id, 'user ' || user_agent, 'laptop', 'completed', $3
     from round, generate_series(1, $2::int) as user_agent where run_id = $1 order by index, user_agent`,
    [runId, userAgents, urls],
  );
  await pool.query(
    `insert into visit (id, pass_id, sequence, url, repetition, started_at, clock_offset_ms, clock_error_ms, status, code, is_settled, is_hidden, metrics_version, readings, absences, http_versions)
     select gen_random_uuid(), pass.id, page - 1, 'http://origin.test/' || page, 1, now(), 0, 0.1, case when fails then 'failed' else 'ok' end,
       case when fails then 'timeout' end, not fails, false, 1,
       case when fails then '{}' else $4::jsonb || jsonb_build_object('baseMs', base, 'viewportMs', base * 2, 'totalMs', base * 3, 'loadEventMs', base * 3 + 1) end,
       case when fails then '{}' else $5::jsonb end,
       case when not fails then '{"h2": 20, "http/1.1": 1}'::jsonb end
     from round join pass on pass.round_id = round.id, generate_series(1, $2::int) as page,
       lateral (select random() < 0.002 as fails, (200 + page * 5) * 0.98 ^ (index % $3) * exp(0.3 * random_normal()) as base where page > 0) as made
     where run_id = $1 order by round.index, pass.user_agent, page`,
    [runId, urls, scenarios, readings, absences],
  );
  await pool.query(
    `with counted as (
       select pass.id, made.* from round join pass on round_id = round.id cross join lateral (${countVisitsOfPass('true')}) made where run_id = $1)
     update pass set visits_made = counted.made, visits_failed = counted.failed, visits_unsettled = counted.unsettled, failures = counted.failures
     from counted where pass.id = counted.id`,
    [runId],
  );
  await pool.query(`update run set state = 'completed', started_at = now(), ended_at = now() where id = $1`, [runId]);
  if (vacuum) await pool.query('vacuum analyze');
  return runId;
}
