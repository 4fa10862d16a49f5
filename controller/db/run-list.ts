import type { RunSummary } from '#core/protocol/api/run.ts';
import type { Queryable } from './connection/queryable.ts';
import { digestDefinition } from './run-digests.ts';
import { runsWithDigests, summaryColumns, toRunSummary, type RunRow } from './run-summaries.ts';

/** The newest Runs first, at most `limit`, older than the Run `before` where one is named. */
export async function listRuns(
  db: Queryable,
  page: { before: string | null; withTries: boolean; limit: number },
): Promise<RunSummary[]> {
  const { rows } = await db.query<RunRow>(
    `select ${summaryColumns} from ${runsWithDigests}
     where ($2::bigint is null or run.id < $2) and ($3 or not is_try) order by run.id desc limit $4`,
    [digestDefinition, page.before, page.withTries, page.limit],
  );
  return rows.map(toRunSummary);
}
