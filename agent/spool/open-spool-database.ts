import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { AppError } from '#core/app-error.ts';

/**
 * What this host keeps on its disk until the Controller has acknowledged it. One process only may hold a spool: the lock is the operating
 * system's, so a killed Agent leaves none behind. Throws `conflict` when another one holds it, and `internal` when it cannot be used.
 */
export function openSpoolDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    database = new DatabaseSync(file);
    database.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = full;
      create table if not exists visit (
        sequence integer primary key autoincrement,
        id text not null unique,
        pass_id text not null,
        body text not null,
        refusal text,
        snapshot blob
      );
      create table if not exists capture (
        sequence integer primary key autoincrement,
        pass_id text not null unique,
        body text not null,
        refusal text
      );`);
    addSnapshots(database);
    return database;
  } catch (cause) {
    database?.close();
    const { message } = cause as Error;
    if (/locked|busy/i.test(message))
      throw new AppError(
        'conflict',
        `Another Agent of this name runs on this machine already (it holds ${file}): choose another --name, or stop it`,
        { cause },
      );
    throw cannotKeep(file, cause);
  }
}

function cannotKeep(file: string, cause: unknown): AppError {
  return new AppError(
    'internal',
    `Results cannot be kept in ${file} (${(cause as Error).message}): it needs room on its disk and the right to write, and a damaged file must be moved away`,
    { cause },
  );
}

/** Writes what has no other copy yet. Throws `internal`, with the file and what to do, where that cannot be. */
export function keepIn(database: DatabaseSync, statement: string, values: readonly SQLInputValue[]): void {
  try {
    database.prepare(statement).run(...values);
  } catch (cause) {
    throw cannotKeep(database.location() ?? '', cause);
  }
}

/** A spool of an older version has them in the bodies of its Visits. */
function addSnapshots(database: DatabaseSync): void {
  const columns = database.prepare("select name from pragma_table_info('visit')").all();
  if (!columns.some(({ name }) => name === 'snapshot')) database.exec('alter table visit add column snapshot blob');
}
