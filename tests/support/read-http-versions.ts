import type { Pool } from 'pg';

/** By Scenario of a Run: the versions of HTTP that the objects of its pages came by. */
export async function readHttpVersions(pool: Pool, runId: string): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ scenario: string; versions: string[] }>(
    `select scenario, array_agg(distinct version order by version) as versions
     from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id, jsonb_object_keys(http_versions) as version
     where run_id = $1 and round.state = 'completed' group by scenario`,
    [runId],
  );
  return new Map(rows.map(({ scenario, versions }) => [scenario, versions]));
}
