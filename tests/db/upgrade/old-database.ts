import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';

const decompress = promisify(brotliDecompress);

/**
 * What version 85eb257 wrote into a PostgreSQL 15, and what it answered about it. Two users, one with Chrome and one with the engine `http`, loaded four pages over two emulated
 * links: the `document` of Run 1 is the Evaluation. One Visit was excluded, and one was excluded by mistake. Names of hosts, and what they are made of, were replaced afterwards.
 *
 *     git worktree add old 85eb257 && cd old      # DATABASE_URL is set
 *     ./http-ae up --port 8485 & ./http-ae testbed up cable --users 2 --allow-scripts --controller URL --token TOKEN &
 *     ip netns exec GROUND node testbed/origin/main.ts '{"host":"198.19.0.1","ports":{"http":8080}}' &
 *     ./http-ae evaluate evaluation.yaml --wait
 *     curl URL/api/runs/1/comparison              # and /wire, /visits?format=csv
 *     pg_dump --no-owner --no-privileges --column-inserts --rows-per-insert=100 | grep -v '^\\' >database.sql
 *     brotli --best --lgwin=24 database.sql comparison.json wire.json visits.csv
 */
export async function readOld(file: 'database.sql' | 'comparison.json' | 'visits.csv' | 'wire.json'): Promise<string> {
  const compressed = await readFile(path.join(import.meta.dirname, 'version-85eb257', `${file}.br`));
  return (await decompress(compressed)).toString();
}

/** A database as that version left it. No migration since has been applied. */
export async function restoreOldDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const client = await database.pool.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.query(await readOld('database.sql'));
  client.release(true); // the dump sets a search path for its connection
  return database;
}

/** A table by its name, and its rows, each as the text of its columns by name. */
export type Rows = Map<string, Record<string, string>[]>;

/** All rows of all tables, with generated columns. Of the tables and columns of `earlier` alone, if it is given. */
export async function readAllRows(pool: Pool, earlier?: Rows): Promise<Rows> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const read: Rows = new Map();
  for (const { name } of tables) {
    if (earlier && !earlier.has(name)) continue;
    const { rows } = await pool.query<{ row: Record<string, string> }>(
      `select (select jsonb_object_agg(key, value::text) from jsonb_each(to_jsonb(stored))) as row from "${name}" stored`,
    );
    const columns = Object.keys(earlier?.get(name)?.[0] ?? rows[0]?.row ?? {});
    const kept = rows.map(({ row }) => Object.fromEntries(columns.map((column) => [column, row[column] ?? 'is gone'])));
    read.set(
      name,
      kept.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    );
  }
  return read;
}
