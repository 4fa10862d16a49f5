import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { isTransient } from './is-transient.ts';

export interface DatabasePool extends pg.Pool {
  /** Breaks all connections, so that what waits for an answer fails, and later ones fail after a second. Without that, a server that says nothing is waited for without end. */
  breakConnections(): void;
}

/**
 * A pool of connections to the database, tried with one statement. int8 comes as text (ids are texts), timestamptz as
 * Date, jsonb as what it says. Throws `database-unreachable`, which names the server and the database but no password.
 */
export async function connectDatabase({
  databaseUrl,
  mostConnections = 20,
  log,
}: {
  databaseUrl: string;
  mostConnections?: number | undefined;
  log: Logger;
}): Promise<DatabasePool> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: mostConnections,
    connectionTimeoutMillis: 10_000,
    application_name: 'http-ae',
  });
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void clients.add(client));
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'An idle database connection broke');
  });
  try {
    await pool.query('select 1');
    return Object.assign(pool, {
      breakConnections: () => {
        pool.options.connectionTimeoutMillis = 1000;
        for (const client of clients) streamOf(client).destroy();
      },
    });
  } catch (error) {
    await pool.end();
    const cause = error instanceof AggregateError ? error.errors.map(String).join('; ') : (error as Error).message;
    const fix = isTransient(error) ? 'start it, or set DATABASE_URL to another one' : 'correct DATABASE_URL';
    throw new AppError('database-unreachable', `Cannot use the database ${placeOf(databaseUrl)}: ${cause}; ${fix}`, {
      cause: error,
    });
  }
}

/** `pg` documents no way to give a connection up that does not answer. */
function streamOf(client: pg.PoolClient): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}

/** `host:port/database`. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl))
    return 'in DATABASE_URL (not a URL: write "postgres://user:password@host:5432/database")';
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
}
