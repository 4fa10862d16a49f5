import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import pg, { type Pool } from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { ArtefactPlace, ArtefactStore } from '../captures/artefacts/artefact-store.ts';
import { dropForeignKeys, listTables, storeRows, storeSequence } from './backup-rows.ts';
import { listMigrations, migrate } from '../database/migrate.ts';
import { inTransaction } from '../database/transaction.ts';
import {
  artefactFile,
  BackupEndSchema,
  BackupManifestSchema,
  leftOutTables,
  mostChunkBytes,
  storeIdFile,
  tableFile,
  type BackupEnd,
  type BackupManifest,
} from './backup-format.ts';
import { readTar, type TarEntry } from './tar.ts';

/** As `silenceSeconds` of db/controllers.ts, with room. */
const silenceSeconds = 15;

const decompress = promisify(zstdDecompress);
/** Of a file that is read as a whole. */
const mostFileBytes = mostChunkBytes;

interface RestoreOptions {
  pool: Pool;
  place: ArtefactPlace;
  /** The path of the backup. */
  file: string;
  /** Deletes what the database and the folder have. */
  replaces: boolean;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Puts a backup into an empty database and an empty place of artefacts: all of it, or nothing. Throws `invalid-input` for a backup that is damaged, or of a later version, and where
 * there are data already and `replaces` is false; `conflict` while a Controller uses the database.
 */
export async function restoreBackup({ pool, place, file, replaces, log, signal }: RestoreOptions): Promise<BackupEnd> {
  const openFile = () => readTar(createReadStream(file, { signal }) as AsyncIterable<Buffer>);
  await requireWhole(openFile());
  const entries = openFile();
  const manifest = await readManifest(entries);
  const migrations = await requireKnownMigrations(manifest);

  const found = await inspectDatabase(pool);
  const hasArtefacts = await hasFiles(place);
  if (!replaces && (found === 'used' || hasArtefacts))
    throw new AppError(
      'invalid-input',
      `${found === 'used' ? 'The database' : place.name} is not empty: restore into another one, or delete what is there with --replace`,
    );
  if (found !== 'empty') await emptyDatabase(pool);
  if (hasArtefacts) await removeFiles(place);
  await migrate(pool, log, { count: migrations });
  try {
    const end = await load();
    await migrate(pool, log); // what this version has more
    return end;
  } catch (error) {
    await removeFiles(place).catch((left: unknown) =>
      log.warn({ err: left }, `Some files of the backup are still in ${place.name}`),
    );
    throw error;
  }

  function load(): Promise<BackupEnd> {
    return inTransaction(pool, async (client) => {
      const tables = new Set(await listTables(client, leftOutTables));
      await client.query('delete from instance'); // of the migrations
      const addForeignKeys = await dropForeignKeys(client);
      const rows: Record<string, number> = Object.fromEntries([...tables].map((table) => [table, 0]));
      let artefacts = 0;
      for await (const entry of entries) {
        signal.throwIfAborted();
        const [, table] = tableFile.exec(entry.name) ?? [];
        const [, name, pictures, start, rest] = artefactFile.exec(entry.name) ?? [];
        if (table !== undefined && tables.has(table)) {
          const lines = await readLines(entry);
          await fitting(`the rows of ${entry.name}`, storeRows(client, table, lines));
          rows[table]! += lines.length;
        } else if (name !== undefined) {
          await storeArtefact(pictures === undefined ? place.traces : place.pictures, `${start!}${rest!}`, entry);
          artefacts++;
        } else if (entry.name === storeIdFile) {
          const storeId = z.uuid().safeParse((await readWhole(entry)).toString().trim());
          if (!storeId.success) throw damaged(`${storeIdFile} has no id`, storeId.error);
          await place.writeId(storeId.data);
        } else if (entry.name === 'end.json') {
          const end = await readJson(entry, BackupEndSchema);
          if (end.artefacts !== artefacts || Object.entries(end.rows).some(([of, count]) => rows[of] !== count))
            throw damaged('rows or files are missing');
          for (const statement of addForeignKeys)
            await fitting('rows that other rows refer to', client.query(statement));
          for (const sequence of manifest.sequences)
            await fitting(`the next id of ${sequence.table}`, storeSequence(client, sequence));
          return end;
        } else throw damaged(`${JSON.stringify(entry.name)} is no part of a backup`);
      }
      throw damaged('its end is missing');
    });
  }
}

/** Looks at the whole file before anything is changed. */
async function requireWhole(entries: AsyncGenerator<TarEntry>): Promise<void> {
  await readManifest(entries);
  let last = '';
  for await (const { name } of entries) last = name;
  if (last !== 'end.json') throw damaged('its end is missing');
}

async function readManifest(entries: AsyncGenerator<TarEntry>): Promise<BackupManifest> {
  const first = await entries.next();
  if (first.done === true || first.value.name !== 'manifest.json') throw damaged('it does not begin as one');
  return readJson(first.value, BackupManifestSchema);
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

async function storeArtefact(files: ArtefactStore, sha256: string, { name, size, contents }: TarEntry): Promise<void> {
  try {
    await files.receive(sha256, contents, { maximumBytes: size });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid-input') throw error;
    throw damaged(`${name} has other contents than its name says`, error);
  }
}

async function readWhole({ name, size, contents }: TarEntry): Promise<Buffer> {
  if (size > mostFileBytes) throw damaged(`${name} is too large`);
  const parts: Buffer[] = [];
  for await (const part of contents) parts.push(part);
  return Buffer.concat(parts);
}

async function readLines(entry: TarEntry): Promise<string[]> {
  const compressed = await readWhole(entry);
  try {
    const text = await decompress(compressed, { maxOutputLength: mostChunkBytes });
    return text.toString('utf8').trimEnd().split('\n');
  } catch (error) {
    throw damaged(`${entry.name} cannot be decompressed`, error);
  }
}

async function readJson<Schema extends z.ZodType>(entry: TarEntry, schema: Schema): Promise<z.output<Schema>> {
  try {
    return schema.parse(JSON.parse((await readWhole(entry)).toString('utf8')));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw damaged(`${entry.name} cannot be read`, error);
  }
}

/** The id of a place alone is nothing to lose. */
async function hasFiles({ traces, pictures }: ArtefactPlace): Promise<boolean> {
  for (const files of [traces, pictures])
    if ((await files.list()[Symbol.asyncIterator]().next()).done !== true) return true;
  return false;
}

async function removeFiles({ traces, pictures }: ArtefactPlace): Promise<void> {
  for (const files of [traces, pictures]) for await (const sha256 of files.list()) await files.remove(sha256);
}

function damaged(how: string, cause?: unknown): AppError {
  return new AppError('invalid-input', `The backup is damaged: ${how}. Nothing was restored`, { cause });
}

/** SQLSTATE classes of what is wrong with the values or the statement, and not with the server. PostgreSQL 18, Appendix A. */
const wrongContents = /^(0A|21|22|23|42|54|P0)/;

/** Waits for work with the contents of the backup. What the database refuses of these is the fault of the backup. */
async function fitting<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !wrongContents.test(error.code ?? '')) throw error;
    throw damaged(`the database refuses ${what} (${error.message})`, error);
  }
}

/** What there is: nothing, a schema without any result or account, or more. Throws `conflict` while a Controller uses the database, and `invalid-input` for that of another program. */
async function inspectDatabase(pool: Pool): Promise<'empty' | 'unused' | 'used'> {
  const { rows } = await pool.query<{ tables: string[] }>(
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
    const { rowCount } = await pool.query(
      `select from controller where seen_at > now() - make_interval(secs => ${silenceSeconds})`,
    );
    if (rowCount! > 0)
      throw new AppError(
        'conflict',
        `A Controller uses this database: stop it, and wait ${silenceSeconds} s if it was killed`,
      );
  }
  const { rowCount } = await pool.query(
    'select from evaluation union all select from run union all select from evaluator limit 1',
  );
  return rowCount! > 0 ? 'used' : 'unused';
}

/** Drops all that HTTP-AE has in the database. */
async function emptyDatabase(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ statement: string }>(
      `select format('drop table %I cascade', tablename) as statement from pg_tables where schemaname = current_schema()
       union all select format('drop function %s cascade', oid::regprocedure) from pg_proc
         where pronamespace = current_schema()::regnamespace and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
       union all select format('drop type %I cascade', typname) from pg_type
         where typnamespace = current_schema()::regnamespace and typtype = 'e' and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')`,
    );
    for (const { statement } of rows) await client.query(statement);
  });
}
