import type { Queryable } from '../database/queryable.ts';

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

/** Lets go of those of a folder that were noted longer ago than `minimumAgeMs`: their Capture did not come. */
export async function expireUnclaimedTraces(
  db: Queryable,
  { store, minimumAgeMs }: { store: string; minimumAgeMs: number },
): Promise<void> {
  await db.query(
    `update unclaimed_trace set token_id = null
     where token_id is not null and store in ($2, '${unknownStore}') and noted_at <= now() - make_interval(secs => $1 / 1000.0)`,
    [minimumAgeMs, store],
  );
}

/** Lets go of one that this token uploaded. */
export async function expireUnclaimedTrace(
  db: Queryable,
  { sha256, store, tokenId }: TraceInStore & { tokenId: string },
): Promise<void> {
  await db.query('update unclaimed_trace set token_id = null where sha256 = $1 and store = $2 and token_id = $3', [
    sha256,
    store,
    tokenId,
  ]);
}

/**
 * Whether a Capture may name this trace: it is there, and stays. In the transaction that stores the Capture: removals wait for its end, and it for theirs.
 */
export async function claimTrace(db: Queryable, { sha256, store }: TraceInStore): Promise<boolean> {
  const noted = await db.query('delete from unclaimed_trace where sha256 = $1 and store = $2', [sha256, store]);
  if (noted.rowCount! > 0) return true;
  const kept = await db.query(
    `select from capture where trace_sha256 = $1 and trace_store in ($2, '${unknownStore}') and trace_removed_at is null limit 1 for share`,
    [sha256, store],
  );
  return kept.rowCount! > 0;
}

/**
 * Takes out one of a folder that nobody waits for, which others who take, claim or upload it learn of at the end of this transaction. `isKept`: a Capture needs the file, or an upload
 * that just came. Null when there is none.
 */
export async function takeUnclaimedTrace(
  db: Queryable,
  store: string,
): Promise<{ sha256: string; isKept: boolean } | null> {
  const { rows } = await db.query<{ sha256: string }>(
    `delete from unclaimed_trace where (sha256, store) in (
       select sha256, store from unclaimed_trace where token_id is null and store in ($1, '${unknownStore}') limit 1 for update skip locked)
     returning sha256`,
    [store],
  );
  const [taken] = rows;
  if (!taken) return null;
  // In a statement of its own, which sees what others committed until the row was locked.
  const kept = await db.query<{ isKept: boolean }>(
    `select exists (select from capture where trace_sha256 = $1 and trace_store in ($2, '${unknownStore}') and trace_removed_at is null)
       or exists (select from unclaimed_trace where sha256 = $1 and store = $2 and token_id is not null) as "isKept"`,
    [taken.sha256, store],
  );
  return { ...taken, ...kept.rows[0]! };
}
