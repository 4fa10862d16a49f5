import { RunStateSchema } from '#core/protocol/api/run.ts';
import type { Queryable } from './connection/queryable.ts';

/** What operators watch of the database: Runs by state, and its size. */
export async function readStoredFigures(
  db: Queryable,
): Promise<{ runs: ReadonlyMap<string, number>; databaseBytes: number }> {
  const { rows } = await db.query<{ counts: Record<string, number>; bytes: string }>(
    `select (select coalesce(jsonb_object_agg(state, runs), '{}') from (select state, count(*) as runs from run where deleted_at is null group by state) by_state) as counts,
       pg_database_size(current_database()) as bytes`,
  );
  const { counts, bytes } = rows[0]!;
  return {
    runs: new Map(RunStateSchema.options.map((state) => [state, counts[state] ?? 0])),
    databaseBytes: Number(bytes),
  };
}
