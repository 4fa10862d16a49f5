import type { Queryable } from './connection/queryable.ts';

/** How much the files that were not given up yet, and the database itself, have of the disk. */
export async function measureStorage(
  db: Queryable,
): Promise<{ traceBytes: number; pictureBytes: number; databaseBytes: number }> {
  const { rows } = await db.query<{ trace_bytes: string; picture_bytes: string; database_bytes: string }>(
    `select
       (select coalesce(sum(trace_bytes), 0) from capture where trace_sha256 is not null and trace_removed_at is null) as trace_bytes,
       (select coalesce(sum(bytes), 0) from picture_file) as picture_bytes,
       pg_database_size(current_database()) as database_bytes`,
  );
  const { trace_bytes, picture_bytes, database_bytes } = rows[0]!;
  return {
    traceBytes: Number(trace_bytes),
    pictureBytes: Number(picture_bytes),
    databaseBytes: Number(database_bytes),
  };
}
