import type { Queryable } from './queryable.ts';

/** Notes that a trace is about to be on the disk, uploaded by this token, and that no Capture may ever tell of it. `bytes`: null while it is on its way. */
export async function noteUnclaimedTrace(db: Queryable, trace: { sha256: string; tokenId: string; bytes: number | null }): Promise<void> {
  await db.query(
    `insert into unclaimed_trace (sha256, token_id, bytes) values ($1, $2, $3)
     on conflict (sha256) do update set noted_at = now(), token_id = excluded.token_id, bytes = coalesce(excluded.bytes, unclaimed_trace.bytes)`,
    [trace.sha256, trace.tokenId, trace.bytes],
  );
}

export async function forgetUnclaimedTrace(db: Queryable, sha256: string): Promise<void> {
  await db.query('delete from unclaimed_trace where sha256 = $1', [sha256]);
}

/** The traces that were uploaded by this token and that no Capture keeps, but for one, if any. */
export async function sumUnclaimedTraces(db: Queryable, { tokenId, exceptSha256 }: { tokenId: string; exceptSha256: string | null }): Promise<{ files: number; bytes: number }> {
  const { rows } = await db.query<{ files: number; bytes: number }>(
    `select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from unclaimed_trace
     where token_id = $1 and sha256 is distinct from $2 and bytes is not null
       and not exists (select from capture where trace_sha256 = sha256 and trace_removed_at is null)`,
    [tokenId, exceptSha256],
  );
  return rows[0]!;
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
