import type { Queryable } from '../connection/queryable.ts';

/** Differs whenever a report of the Run would; null when there is none of this id. */
export async function readDataVersion(db: Queryable, runId: string): Promise<string | null> {
  const { rows } = await db.query<{ version: string }>(
    `select concat_ws(' ', run.state, revision, run.visits_deleted_at, count(*) filter (where round.state = 'completed'), count(*) filter (where round.state = 'broken'),
       (select count(*) from capture join pass on pass.id = capture.pass_id join round measured on measured.id = pass.round_id where measured.run_id = run.id),
       (select count(*) from capture join capture_point on capture_point.id = capture.point_id join round measured on measured.id = capture_point.round_id where measured.run_id = run.id)) as version
     from run left join round on round.run_id = run.id where run.id = $1 and run.deleted_at is null group by run.id`,
    [runId],
  );
  return rows[0]?.version ?? null;
}
