import type { Queryable } from './queryable.ts';

/** Notes that this trace is about to be on the disk, and that no Capture may ever tell of it. */
export async function noteUnclaimedTrace(db: Queryable, sha256: string): Promise<void> {
  await db.query('insert into unclaimed_trace (sha256) values ($1) on conflict (sha256) do update set noted_at = now()', [sha256]);
}

/** Takes out those that were noted longer ago than `minimumAgeMs`. Returns the hashes of those that no Capture keeps. */
export async function takeUnclaimedTraces(db: Queryable, minimumAgeMs: number): Promise<string[]> {
  const { rows } = await db.query<{ sha256: string }>(
    `with taken as (delete from unclaimed_trace where noted_at <= now() - make_interval(secs => $1 / 1000.0) returning sha256)
     select sha256 from taken where not exists (select from capture where trace_sha256 = sha256 and trace_removed_at is null)`,
    [minimumAgeMs],
  );
  return rows.map((row) => row.sha256);
}
