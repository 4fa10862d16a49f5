import type { Queryable } from './queryable.ts';

/** Of a file that came before folders had ids. Any folder may hold it. */
export const unknownStore = '00000000-0000-0000-0000-000000000000';

/** Notes that this trace is about to be in this folder, and that no Capture may ever tell of it. */
export async function noteUnclaimedTrace(db: Queryable, { sha256, store }: { sha256: string; store: string }): Promise<void> {
  await db.query('insert into unclaimed_trace (sha256, store) values ($1, $2) on conflict (sha256, store) do update set noted_at = now()', [sha256, store]);
}

/** Another folder that was given this trace; null when there is none. */
export async function findOtherStore(db: Queryable, { sha256, store }: { sha256: string; store: string }): Promise<string | null> {
  const { rows } = await db.query<{ store: string }>(
    `select store from (
       select store from unclaimed_trace where sha256 = $1
       union select trace_store from capture where trace_sha256 = $1 and trace_removed_at is null) as holding
     where store not in ($2, '${unknownStore}') limit 1`,
    [sha256, store],
  );
  return rows[0]?.store ?? null;
}

/** Takes out those of a folder that were noted longer ago than `minimumAgeMs`. Returns the hashes of those that no Capture keeps there. */
export async function takeUnclaimedTraces(db: Queryable, { store, minimumAgeMs }: { store: string; minimumAgeMs: number }): Promise<string[]> {
  const { rows } = await db.query<{ sha256: string }>(
    `with taken as (
       delete from unclaimed_trace where store in ($2, '${unknownStore}') and noted_at <= now() - make_interval(secs => $1 / 1000.0) returning sha256)
     select distinct sha256 from taken
     where not exists (select from capture where trace_sha256 = sha256 and trace_store in ($2, '${unknownStore}') and trace_removed_at is null)`,
    [minimumAgeMs, store],
  );
  return rows.map((row) => row.sha256);
}
