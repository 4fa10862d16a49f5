import { createReadStream } from 'node:fs';
import pg, { type Pool, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import type { ArtefactPlace, ArtefactKind, ArtefactStore } from '../captures/artefacts/artefact-store.ts';
import { listMigrations, lockMigrations, migrateWithin } from '../database/migrate.ts';
import type { Queryable } from '../database/queryable.ts';
import { inTransaction } from '../database/transaction.ts';
import { dropForeignKeys, listTables, storeRows, storeSequence } from './backup-rows.ts';
import { checkBackup, damaged, readLines, readManifest, readPart, refusePart } from './check-backup.ts';
import { readTar, type TarEntry } from './tar.ts';
import { leftOutTables, type BackupEnd, type BackupManifest } from './write-backup.ts';

/** As `silenceSeconds` of db/controllers.ts, with room. */
const silenceSeconds = 15;

interface RestoreOptions {
  pool: Pool;
  place: ArtefactPlace;
  /** The path of the backup. */
  file: string;
  /** Deletes what the database and the folder have, once the backup is restored. */
  replaces: boolean;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Puts a backup into the database and the place of artefacts: all of it, or nothing. What is there with `replaces` is deleted when all is restored, so that both
 * need room until then. Throws `invalid-input` for a backup that is damaged, or of a later version, and where there are data already and `replaces` is false;
 * `conflict` while a Controller uses the database.
 */
export async function restoreBackup({ pool, place, file, replaces, log, signal }: RestoreOptions): Promise<BackupEnd> {
  const openFile = () => readTar(createReadStream(file, { signal }) as AsyncIterable<Buffer>);
  const { manifest, storeId, end } = await checkBackup(openFile(), signal);
  const migrations = await requireKnownMigrations(manifest);
  const files = await RestoredFiles.beside(place);
  try {
    await inTransaction(pool, async (client) => {
      await lockMigrations(client); // a Controller that starts meanwhile waits
      const found = await inspectDatabase(client);
      if (!replaces && (found === 'used' || files.hadFiles))
        throw new AppError(
          'invalid-input',
          `${found === 'used' ? 'The database' : place.name} is not empty: restore into another one, or replace what is there with --replace`,
        );
      if (found !== 'empty') await emptyDatabase(client);
      await migrateWithin(client, log, { count: migrations });
      await load(client);
      await migrateWithin(client, log); // what this version has more
      if (storeId !== null) await files.writeId(storeId);
    });
    await files
      .keep()
      .catch((left: unknown) => log.warn({ err: left }, `Some former files are still in ${place.name}`));
    return end;
  } catch (error) {
    await files
      .undo()
      .catch((left: unknown) => log.warn({ err: left }, `Some files of the backup are still in ${place.name}`));
    throw error;
  }

  async function load(client: PoolClient): Promise<void> {
    const tables = new Set(await listTables(client, leftOutTables));
    await client.query('delete from instance'); // of the migrations
    const addForeignKeys = await dropForeignKeys(client);
    const entries = openFile();
    await readManifest(entries);
    for await (const entry of entries) {
      signal.throwIfAborted();
      const part = readPart(entry);
      if (part.kind === 'artefact') await files.receive(part.of, part.sha256, entry);
      if (part.kind !== 'rows') continue;
      if (!tables.has(part.table)) throw refusePart(entry.name);
      await loadRows(client, { name: entry.name, table: part.table, lines: await readLines(entry) });
    }
    for (const statement of addForeignKeys) await fitting('rows that other rows refer to', client.query(statement));
    for (const sequence of manifest.sequences)
      await fitting(`the next id of ${sequence.table}`, storeSequence(client, sequence));
  }
}

/** Stores rows, all at once. Where the database refuses them, one after the other, so that the row that is wrong is named. */
async function loadRows(
  client: PoolClient,
  { name, table, lines }: { name: string; table: string; lines: readonly string[] },
): Promise<void> {
  await client.query('savepoint rows');
  try {
    await storeRows(client, table, lines);
  } catch (error) {
    if (!isOfContents(error)) throw error;
    await client.query('rollback to savepoint rows');
    for (const [index, line] of lines.entries())
      await fitting(`row ${index + 1} of ${name}`, storeRows(client, table, [line]));
    throw error; // together they are refused, and alone none is
  }
  await client.query('release savepoint rows');
}

/** How many migrations the database of the backup had: the first ones of this version. */
async function requireKnownMigrations({ migrations, httpAeVersion }: BackupManifest): Promise<number> {
  const own = await listMigrations();
  if (migrations.every((name, index) => own[index] === name)) return migrations.length;
  throw new AppError(
    'invalid-input',
    `The backup was made by another version of HTTP-AE (${httpAeVersion}), whose database this one does not know: install that version or a later one`,
  );
}

/** SQLSTATE classes of what is wrong with the values or the statement, and not with the server. PostgreSQL 18, Appendix A. */
const wrongContents = /^(0A|21|22|23|42|54|P0)/;
const foreignKeyViolation = '23503';

function isOfContents(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && wrongContents.test(error.code ?? '');
}

/** Waits for work with the contents of the backup. What the database refuses of these is the fault of the backup. */
async function fitting<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isOfContents(error)) throw error;
    // Of rows that refer to others, the detail alone says which.
    const which = error.code === foreignKeyViolation && error.detail ? `. ${error.detail.replace(/\.$/, '')}` : '';
    throw damaged(`the database refuses ${what} (${error.message}${which})`, error);
  }
}

/** What there is: nothing, a schema without any result or account, or more. Throws `conflict` while a Controller uses the database, and `invalid-input` for that of another program. */
async function inspectDatabase(db: Queryable): Promise<'empty' | 'unused' | 'used'> {
  const { rows } = await db.query<{ tables: string[] }>(
    `select coalesce(array_agg(tablename::text), '{}') as tables from pg_tables where schemaname = current_schema()`,
  );
  const { tables } = rows[0]!;
  if (tables.length === 0) return 'empty';
  if (!tables.includes('migration') || !tables.includes('evaluation'))
    throw new AppError(
      'invalid-input',
      'The database has tables of another program: set DATABASE_URL to a database for HTTP-AE alone',
    );
  if (tables.includes('controller')) {
    const { rowCount } = await db.query(
      `select from controller where seen_at > now() - make_interval(secs => ${silenceSeconds})`,
    );
    if (rowCount! > 0)
      throw new AppError(
        'conflict',
        `A Controller uses this database: stop it, and wait ${silenceSeconds} s if it was killed`,
      );
  }
  const { rowCount } = await db.query(
    'select from evaluation union all select from run union all select from evaluator limit 1',
  );
  return rowCount! > 0 ? 'used' : 'unused';
}

/** Drops all that HTTP-AE has in the database. */
async function emptyDatabase(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ statement: string }>(
    `select format('drop table %I cascade', tablename) as statement from pg_tables where schemaname = current_schema()
     union all select format('drop function %s cascade', oid::regprocedure) from pg_proc
       where pronamespace = current_schema()::regnamespace and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
     union all select format('drop type %I cascade', typname) from pg_type
       where typnamespace = current_schema()::regnamespace and typtype = 'e' and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')`,
  );
  for (const { statement } of rows) await db.query(statement);
}

interface Kind {
  store: ArtefactStore;
  /** The hashes of the files that were there. */
  former: ReadonlySet<string>;
  restored: Set<string>;
}

/**
 * The files of a backup, stored beside those that a place has. Names are hashes of contents, so neither is in the way of the other. `keep` removes the former
 * files in the end, and `undo` the restored ones.
 */
class RestoredFiles {
  readonly #place: ArtefactPlace;
  readonly #kinds: Record<ArtefactKind, Kind>;
  #formerId: string | null = null;

  static async beside(place: ArtefactPlace): Promise<RestoredFiles> {
    const { traces, pictures, sites } = place;
    return new RestoredFiles(place, {
      traces: await open(traces),
      pictures: await open(pictures),
      sites: await open(sites),
    });
  }

  private constructor(place: ArtefactPlace, kinds: Record<ArtefactKind, Kind>) {
    this.#place = place;
    this.#kinds = kinds;
  }

  /** The id of a place alone is nothing to lose. */
  get hadFiles(): boolean {
    return Object.values(this.#kinds).some(({ former }) => former.size > 0);
  }

  /** Throws `invalid-input` where the contents have another hash. */
  async receive(kind: ArtefactKind, sha256: string, { size, contents }: TarEntry): Promise<void> {
    const { store, restored } = this.#kinds[kind];
    await store.receive(sha256, contents, { maximumBytes: size });
    restored.add(sha256);
  }

  /** Gives the place the id by which the database of the backup knows it. */
  async writeId(id: string): Promise<void> {
    this.#formerId = await this.#place.readId();
    await this.#place.writeId(id);
  }

  /** Removes what was there before and is not in the backup. */
  async keep(): Promise<void> {
    for (const { store, former, restored } of Object.values(this.#kinds))
      for (const sha256 of former) if (!restored.has(sha256)) await store.remove(sha256);
  }

  /** Removes what came, and leaves what was there. */
  async undo(): Promise<void> {
    if (this.#formerId !== null) await this.#place.writeId(this.#formerId);
    for (const { store, former, restored } of Object.values(this.#kinds))
      for (const sha256 of restored) if (!former.has(sha256)) await store.remove(sha256);
  }
}

async function open(store: ArtefactStore): Promise<Kind> {
  const former = new Set<string>();
  for await (const sha256 of store.list()) former.add(sha256);
  return { store, former, restored: new Set() };
}
