import type { Queryable } from './connection/queryable.ts';

/** Of a file that came before folders had ids. Any folder may hold it. */
export const unknownStore = '00000000-0000-0000-0000-000000000000';

interface TraceInStore {
  sha256: string;
  /** The id of the folder. */
  store: string;
}

/** Notes that a trace is about to be in this folder, uploaded by this token, and that perhaps no Capture will name it. `bytes`: null while it is on its way. */
export async function noteUnclaimedTrace(
  db: Queryable,
  trace: TraceInStore & { tokenId: string; bytes: number | null },
): Promise<void> {
  await db.query(
    `insert into unclaimed_trace (sha256, store, token_id, bytes) values ($1, $2, $3, $4)
     on conflict (sha256, store) do update set noted_at = now(), token_id = excluded.token_id, bytes = coalesce(excluded.bytes, unclaimed_trace.bytes)`,
    [trace.sha256, trace.store, trace.tokenId, trace.bytes],
  );
}

export async function forgetUnclaimedTrace(db: Queryable, { sha256, store }: TraceInStore): Promise<void> {
  await db.query('delete from unclaimed_trace where sha256 = $1 and store = $2', [sha256, store]);
}

interface UnclaimedSum {
  files: number;
  bytes: number;
}

/** The traces that this token uploaded and that no Capture keeps, as they are at one moment: all of them, and those but for one. */
export async function sumUnclaimedTraces(
  db: Queryable,
  { tokenId, sha256 }: { tokenId: string; sha256: string },
): Promise<{ all: UnclaimedSum; others: UnclaimedSum }> {
  const { rows } = await db.query<{ allFiles: number; allBytes: number; otherFiles: number; otherBytes: number }>(
    `select count(*)::int as "allFiles", coalesce(sum(bytes), 0)::float8 as "allBytes",
       (count(*) filter (where sha256 <> $2))::int as "otherFiles", coalesce(sum(bytes) filter (where sha256 <> $2), 0)::float8 as "otherBytes"
     from unclaimed_trace where token_id = $1 and bytes is not null
       and not exists (select from capture where trace_sha256 = sha256 and trace_removed_at is null)`,
    [tokenId, sha256],
  );
  const { allFiles, allBytes, otherFiles, otherBytes } = rows[0]!;
  return { all: { files: allFiles, bytes: allBytes }, others: { files: otherFiles, bytes: otherBytes } };
}

/** Another folder that has the whole of this trace, and its size as counted there; null when there is none. */
export async function findOtherStore(
  db: Queryable,
  { sha256, store }: TraceInStore,
): Promise<{ store: string; bytes: number } | null> {
  const { rows } = await db.query<{ store: string; bytes: number }>(
    `select store, bytes::float8 as bytes from (
       select store, bytes from unclaimed_trace where sha256 = $1
       union select trace_store, trace_bytes from capture where trace_sha256 = $1 and trace_removed_at is null) as holding
     where store not in ($2, '${unknownStore}') and bytes is not null limit 1`,
    [sha256, store],
  );
  return rows[0] ?? null;
}

/** Takes out those of a folder that were noted longer ago than `minimumAgeMs`. Returns the hashes of those that no Capture keeps there. */
export async function takeUnclaimedTraces(
  db: Queryable,
  { store, minimumAgeMs }: { store: string; minimumAgeMs: number },
): Promise<string[]> {
  const { rows } = await db.query<{ sha256: string }>(
    `with taken as (
       delete from unclaimed_trace where store in ($2, '${unknownStore}') and noted_at <= now() - make_interval(secs => $1 / 1000.0) returning sha256)
     select distinct sha256 from taken
     where not exists (select from capture where trace_sha256 = sha256 and trace_store in ($2, '${unknownStore}') and trace_removed_at is null)`,
    [minimumAgeMs, store],
  );
  return rows.map((row) => row.sha256);
}
