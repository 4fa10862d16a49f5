import type { Queryable } from './queryable.ts';

/** Notes that this file is on the disk; one that is already is as new as if it came now. */
export async function notePictureFile(db: Queryable, { sha256, bytes }: { sha256: string; bytes: number }): Promise<void> {
  await db.query('insert into picture_file (sha256, bytes) values ($1, $2) on conflict (sha256) do update set received_at = now()', [sha256, bytes]);
}

/** Gives up the oldest files, so many that the rest has at most `maximumBytes`. Returns their hashes. */
export async function giveUpPictures(db: Queryable, maximumBytes: number): Promise<string[]> {
  const { rows } = await db.query<{ sha256: string }>(
    `delete from picture_file using (
       select sha256 as old, sum(bytes) over (order by received_at desc, sha256) as newer_bytes from picture_file) as sized
     where sha256 = old and newer_bytes > $1
     returning sha256`,
    [maximumBytes],
  );
  return rows.map((row) => row.sha256);
}
