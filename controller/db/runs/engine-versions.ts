import type { RunMethod } from '#core/record/run-method.ts';
import type { Queryable } from '../connection/queryable.ts';

/** What loaded the pages of the counted Rounds of a Run, and on which Hosts. */
export async function listEngineVersions(db: Queryable, runId: string): Promise<RunMethod['engineVersions']> {
  const { rows } = await db.query<{ host: string; version: string }>(
    `select distinct pass.agent as host, engine_version as version from round join pass on pass.round_id = round.id
     where run_id = $1 and round.state = 'completed' and not warm_up and engine_version is not null order by 1, 2`,
    [runId],
  );
  return rows;
}
