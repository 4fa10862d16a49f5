import pino from 'pino';
import { connectDatabase } from '#controller/database/connect.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface HeldDatabase extends TestDatabase {
  /** Lets so much time pass in it. */
  pass: (durationMs: number) => Promise<void>;
  /** As if PostgreSQL had been started so long ago; an hour ago unless it is called. */
  startedAgo: (durationMs: number) => Promise<void>;
}

/**
 * A real database whose time stands still until the test lets some of it pass: who connects by its URL finds other functions
 * of time before those of PostgreSQL. What was stored by default values is dated by them too.
 */
export async function createHeldDatabase(): Promise<HeldDatabase> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase());
  await database.pool.query(`
    create schema held;
    create table held.time (now timestamptz not null, started timestamptz not null);
    insert into held.time select pg_catalog.now(), pg_catalog.now() - interval '1 hour';
    create function held.now() returns timestamptz language sql stable as 'select now from held.time';
    create function held.clock_timestamp() returns timestamptz language sql stable as 'select now from held.time';
    create function held.pg_postmaster_start_time() returns timestamptz language sql stable as 'select started from held.time';
    do $$ declare dated record; begin
      for dated in select table_name, column_name from information_schema.columns
        where table_schema = 'public' and column_default = 'now()' loop
        execute format('alter table public.%I alter column %I set default held.now()', dated.table_name, dated.column_name);
      end loop;
    end $$;`);
  const url = new URL(database.databaseUrl);
  url.searchParams.set('options', '-c search_path=held,pg_catalog,public');
  const pool = await connectDatabase({ databaseUrl: url.href, log: pino({ level: 'silent' }) });
  stack.defer(() => pool.end());
  const owned = stack.move();
  return {
    databaseUrl: url.href,
    pool,
    pass: async (durationMs) => {
      await database.pool.query(`update held.time set now = now + make_interval(secs => $1)`, [durationMs / 1000]);
    },
    startedAgo: async (durationMs) => {
      await database.pool.query(`update held.time set started = now - make_interval(secs => $1)`, [durationMs / 1000]);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
