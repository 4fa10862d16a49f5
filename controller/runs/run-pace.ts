import type { Queryable } from '../database/queryable.ts';

export interface RunPace {
  /** Since the start of the Run, or its whole time when it has ended; without the time that it was paused. */
  elapsedMs: number;
  /** What a Block took, in the mean, broken tries and the warm-up included; null before a Round was completed. */
  blockMs: number | null;
}

/**
 * How fast a Run goes, by the clock of the database. A Block that is not complete counts by its completed Rounds. `isOfLoadedPages`: completed Rounds whose
 * every Visit failed are left out.
 */
export async function readRunPace(db: Queryable, runId: string, { isOfLoadedPages = false } = {}): Promise<RunPace> {
  const { rows } = await db.query<RunPace>(
    `select coalesce(extract(epoch from coalesce(ended_at, paused_at, now()) - started_at) * 1000 - paused_ms, 0)::float8 as "elapsedMs", tried.ms * jsonb_array_length(document -> 'scenarios') as "blockMs"
     from run cross join lateral (
       select (sum(extract(epoch from ended_at - created_at)) * 1000 / nullif(count(*) filter (where state = 'completed'), 0))::float8 as ms
       from round where run_id = run.id and ended_at is not null
         and (not $2 or state = 'broken' or exists (select from pass join visit on visit.pass_id = pass.id where pass.round_id = round.id and visit.status = 'ok'))) tried
     where run.id = $1`,
    [runId, isOfLoadedPages],
  );
  return rows[0]!;
}
