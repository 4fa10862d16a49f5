import { listLooks } from '#core/comparison/design-comparison.ts';
import { listAddedRounds, listCountedBlocks } from './store-added-rounds.ts';
import type { Queryable } from '../database/queryable.ts';
import type { RunMethod } from '#core/record/run-method.ts';

/** How many Blocks a Run had each time that its result could be seen; none where no Rounds were added. */
export async function readLooks(db: Queryable, runId: string): Promise<number[]> {
  const added = await listAddedRounds(db, runId);
  return added.length === 0 ? [] : listLooks(added, await listCountedBlocks(db, runId));
}

/** What loaded the pages of the counted Rounds of a Run, and on which Hosts. */
export async function listEngineVersions(db: Queryable, runId: string): Promise<RunMethod['engineVersions']> {
  const { rows } = await db.query<{ host: string; version: string }>(
    `select distinct pass.agent as host, engine_version as version from round join pass on pass.round_id = round.id
     where run_id = $1 and round.state = 'completed' and not warm_up and engine_version is not null order by 1, 2`,
    [runId],
  );
  return rows;
}

/** Of the definitions that the Readings of its counted Rounds follow. A Round has those of the Controller that stored it. */
export async function listMetricsVersions(db: Queryable, runId: string): Promise<number[]> {
  const { rows } = await db.query<{ version: number }>(
    `select distinct version from round
     cross join lateral (select metrics_version as version from pass join visit on visit.pass_id = pass.id where pass.round_id = round.id limit 1) first_visit
     where run_id = $1 and round.state = 'completed' and not warm_up order by 1`,
    [runId],
  );
  return rows.map(({ version }) => version);
}

/** Differs whenever a report of the Run would, or an export; null when there is none of this id. */
export async function readDataVersion(db: Queryable, runId: string): Promise<string | null> {
  const { rows } = await db.query<{ version: string }>(
    `select concat_ws(' ', run.state, revision, run.snapshots_deleted_at, run.visits_deleted_at, count(*) filter (where round.state = 'completed'), count(*) filter (where round.state = 'broken'),
       (select count(*) from capture join pass on pass.id = capture.pass_id join round measured on measured.id = pass.round_id where measured.run_id = run.id),
       (select count(*) from capture join capture_point on capture_point.id = capture.point_id join round measured on measured.id = capture_point.round_id where measured.run_id = run.id)) as version
     from run left join round on round.run_id = run.id where run.id = $1 and run.deleted_at is null group by run.id`,
    [runId],
  );
  return rows[0]?.version ?? null;
}
