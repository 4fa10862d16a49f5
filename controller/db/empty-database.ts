import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import { inTransaction } from './connection/transaction.ts';

/** As `silenceSeconds` of db/controllers.ts, with room. */
const silenceSeconds = 15;

/** What there is: nothing, a schema without any result or account, or more. Throws `conflict` while a Controller uses the database, and `invalid-input` for that of another program. */
export async function inspectDatabase(pool: Pool): Promise<'empty' | 'unused' | 'used'> {
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
export async function emptyDatabase(pool: Pool): Promise<void> {
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
