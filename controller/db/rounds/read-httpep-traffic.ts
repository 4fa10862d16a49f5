import { describeHttpepTraffic, httpepScripts } from '#core/record/httpep-traffic.ts';
import type { HttpepTraffic, ProcessOutput } from '#core/record/httpep-traffic.ts';
import type { Queryable } from '../connection/queryable.ts';

/** What HTTPEP counted in each completed Round that is no warm-up, of these Scenarios. */
export async function readHttpepTraffic(
  db: Queryable,
  runId: string,
  scenarios: readonly string[],
): Promise<HttpepTraffic[]> {
  if (scenarios.length === 0) return [];
  const { rows } = await db.query<{ block: number; scenario: string; processes: ProcessOutput[] }>(
    `select block, scenario, coalesce((
       select jsonb_agg(jsonb_build_object('script', script, 'output', output) order by ended_at, id) from script_execution
       where round_id = round.id and phase = 'process' and script = any($3)), '[]') as processes
     from round where run_id = $1 and state = 'completed' and not warm_up and scenario = any($2) order by index`,
    [runId, scenarios, Object.values(httpepScripts)],
  );
  return rows.map(({ block, scenario, processes }) => ({ block, scenario, counted: describeHttpepTraffic(processes) }));
}
