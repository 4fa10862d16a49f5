import type { Queryable } from './connection/queryable.ts';
import { unknownStore } from './unclaimed-traces.ts';

/** Notes that this file is in this folder; one that is already is as new as if it came now. */
export async function notePictureFile(
  db: Queryable,
  { sha256, bytes, store }: { sha256: string; bytes: number; store: string },
): Promise<void> {
  await db.query(
    'insert into picture_file (sha256, bytes, store) values ($1, $2, $3) on conflict (sha256, store) do update set received_at = now()',
    [sha256, bytes, store],
  );
}

/** Gives up the oldest files of a folder until the rest has at most `maximumBytes`. Returns their hashes. */
export async function giveUpPictures(
  db: Queryable,
  { store, maximumBytes }: { store: string; maximumBytes: number },
): Promise<string[]> {
  const { rows } = await db.query<{ sha256: string }>(
    `with own as (
       select sha256, store, sum(bytes) over (order by received_at desc, sha256) as newer_bytes from picture_file where store in ($2, '${unknownStore}')),
     given_up as (
       delete from picture_file using own where picture_file.sha256 = own.sha256 and picture_file.store = own.store and newer_bytes > $1 returning own.sha256)
     select distinct sha256 from given_up where sha256 not in (select sha256 from own where newer_bytes <= $1)`,
    [maximumBytes, store],
  );
  return rows.map((row) => row.sha256);
}

/** Of these pictures, marks those that no Visit names any more: they are as old as can be. One that is uploaded again is new. False when there are none. */
export async function markUnnamedPictures(db: Queryable, hashes: string[]): Promise<boolean> {
  const { rowCount } = await db.query(
    `update picture_file set received_at = '-infinity' where sha256 = any($1)
       and not exists (select from visit where screenshot ->> 'sha256' = picture_file.sha256)
       and not exists (
         select from visit
         where filmstrip is not null and jsonb_path_query_array(filmstrip, '$.frames[*].sha256') @> to_jsonb(array[picture_file.sha256]))`,
    [hashes],
  );
  return rowCount! > 0;
}

/** Gives up those of a folder that were marked. Returns their hashes. */
export async function giveUpUnnamedPictures(db: Queryable, store: string): Promise<string[]> {
  const { rows } = await db.query<{ sha256: string }>(
    `delete from picture_file where store in ($1, '${unknownStore}') and received_at = '-infinity' returning sha256`,
    [store],
  );
  return rows.map((row) => row.sha256);
}
