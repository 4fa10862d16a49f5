import type { Queryable } from '../database/queryable.ts';
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

/** Of one transaction: an upload of one of them waits for its end. */
const takenAtOnce = 200;

/** Files that were taken out. Null when there are none. */
export type TakenPictures = { removable: string[] } | null;

/** Takes out the oldest files of a folder, some at a time, until the rest has at most `maximumBytes`. */
export async function takeOldPictures(
  db: Queryable,
  { store, maximumBytes }: { store: string; maximumBytes: number },
): Promise<TakenPictures> {
  const { rows } = await db.query<{ sha256: string; isKept: boolean }>(
    `with own as (
       select sha256, store, received_at, sum(bytes) over (order by received_at desc, sha256) as newer_bytes from picture_file where store in ($2, '${unknownStore}')),
     old as (select * from own where newer_bytes > $1 order by newer_bytes desc limit ${takenAtOnce}),
     taken as (
       delete from picture_file using old
       where picture_file.sha256 = old.sha256 and picture_file.store = old.store and picture_file.received_at = old.received_at returning old.sha256)
     select distinct sha256, sha256 in (select sha256 from own where newer_bytes <= $1) as "isKept" from taken`,
    [maximumBytes, store],
  );
  return toTaken(rows);
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

/** Takes out those of a folder that were marked, some at a time. */
export async function takeUnnamedPictures(db: Queryable, store: string): Promise<TakenPictures> {
  const { rows } = await db.query<{ sha256: string }>(
    `delete from picture_file where (sha256, store) in (
       select sha256, store from picture_file where store in ($1, '${unknownStore}') and received_at = '-infinity'
       limit ${takenAtOnce} for update skip locked)
     returning sha256`,
    [store],
  );
  return toTaken(rows.map(({ sha256 }) => ({ sha256, isKept: false })));
}

function toTaken(rows: { sha256: string; isKept: boolean }[]): TakenPictures {
  return rows.length === 0 ? null : { removable: rows.filter(({ isKept }) => !isKept).map(({ sha256 }) => sha256) };
}
