import type { Annotation, UsedTag } from '#core/protocol/api/annotation.ts';
import type { Queryable } from '../connection/queryable.ts';

export async function annotateRun(db: Queryable, id: string, { tags, note }: Annotation): Promise<void> {
  await db.query('update run set tags = $2, note = $3 where id = $1', [id, tags, note]);
}

/** Its version stays: what is measured does not change. */
export async function annotateEvaluation(db: Queryable, id: string, { tags, note }: Annotation): Promise<void> {
  await db.query('update evaluation set tags = $2, note = $3 where id = $1 and deleted_at is null', [id, tags, note]);
}

/** The tags in use, at most `limit`, the most frequent first. */
export async function listTags(db: Queryable, limit: number): Promise<UsedTag[]> {
  const { rows } = await db.query<UsedTag>(
    `select tag, (count(*) filter (where is_run))::int as runs, (count(*) filter (where not is_run))::int as evaluations
     from (
       select unnest(tags) as tag, true as is_run from run where not is_try and deleted_at is null
       union all select unnest(tags), false from evaluation where deleted_at is null) used
     group by tag order by count(*) desc, tag limit $1`,
    [limit],
  );
  return rows;
}
