import type { PoolClient } from 'pg';
import type { Queryable } from '../database/queryable.ts';

export interface BackupSequence {
  table: string;
  column: string;
  lastValue: string;
  isCalled: boolean;
}

/** PostgreSQL's quotes: these names come from its catalogue, or were compared with it. */
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The tables of the schema but for some, by name. */
export async function listTables(db: Queryable, except: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() and tablename <> all ($1) order by 1`,
    [except],
  );
  return rows.map(({ name }) => name);
}

/** How many are fetched at a time at most: each may be larger than all before it. */
const mostRowsAtOnce = 64;

/** The rows of a table as JSON, at most so many bytes at a time, or one row. In a transaction: at one moment. */
export async function* readRows(client: PoolClient, table: string, chunkBytes: number): AsyncGenerator<string[]> {
  const columns = (await listColumns(client, table)).map(quote).join(', ');
  await client.query(
    `declare backup_rows no scroll cursor for select row_to_json(stored)::text as line from (select ${columns} from ${quote(table)}) stored`,
  );
  let rowsAtOnce = 1;
  let held: string[] = [];
  let heldBytes = 0;
  for (;;) {
    const { rows } = await client.query<[string]>({ text: `fetch ${rowsAtOnce} from backup_rows`, rowMode: 'array' });
    if (rows.length === 0) break;
    let largest = 1;
    for (const [line] of rows) {
      if (held.length > 0 && heldBytes + line.length > chunkBytes) {
        yield held;
        [held, heldBytes] = [[], 0];
      }
      held.push(line);
      heldBytes += line.length;
      largest = Math.max(largest, line.length);
    }
    rowsAtOnce = Math.min(rowsAtOnce * 4, Math.max(1, Math.floor(chunkBytes / largest)), mostRowsAtOnce);
  }
  if (held.length > 0) yield held;
  await client.query('close backup_rows');
}

/** Stores rows as `readRows` gives them, under their ids. */
export async function storeRows(client: Queryable, table: string, lines: readonly string[]): Promise<void> {
  const columns = (await listColumns(client, table)).map(quote).join(', ');
  await client.query(
    `insert into ${quote(table)} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${quote(table)}, $1::json)`,
    [`[${lines.join(',')}]`],
  );
}

/** Those that are stored, and not computed from others. */
async function listColumns(db: Queryable, table: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = ($1)::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quote(table)],
  );
  return rows.map(({ name }) => name);
}

/** Where the identity columns of these tables have come to. */
export async function readSequences(db: Queryable, tables: readonly string[]): Promise<BackupSequence[]> {
  const { rows } = await db.query<{ table: string; column: string; sequence: string }>(
    `select relname as "table", attname as "column", pg_get_serial_sequence(quote_ident(relname), attname) as sequence
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = current_schema()::regnamespace and relname = any($1) and attidentity <> '' order by 1, 2`,
    [tables],
  );
  const sequences: BackupSequence[] = [];
  for (const { table, column, sequence } of rows) {
    const { rows: state } = await db.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value as "lastValue", is_called as "isCalled" from ${sequence}`,
    );
    sequences.push({ table, column, ...state[0]! });
  }
  return sequences;
}

export async function storeSequence(db: Queryable, { table, column, ...state }: BackupSequence): Promise<void> {
  await db.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3, $4)', [
    table,
    column,
    state.lastValue,
    state.isCalled,
  ]);
}

/** Takes all foreign keys off, so that rows may come in any order. Returns the statements that put them back, which check all rows. */
export async function dropForeignKeys(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`,
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ add }) => add);
}
