import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import pino from 'pino';
import { inject } from 'vitest';
import { connectDatabase } from '#controller/database/connect.ts';
import { templateDatabase } from './template-database.ts';

export interface TestDatabase extends AsyncDisposable {
  databaseUrl: string;
  pool: Pool;
}

/** A database of its own, with the schema and nothing in it; dropped when disposed of. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const log = pino({ level: 'silent' });
  const serverUrl = inject('serverUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;

  const server = await connectDatabase({ databaseUrl: serverUrl, log });
  try {
    await server.query(`create database ${name} template ${templateDatabase}`);
  } catch (error) {
    await server.end();
    throw error;
  }
  const databaseUrl = Object.assign(new URL(serverUrl), { pathname: name }).href;
  const pool = await connectDatabase({ databaseUrl, log });
  return {
    databaseUrl,
    pool,
    [Symbol.asyncDispose]: async () => {
      if (!pool.ended) await pool.end();
      await server.query(`drop database ${name} with (force)`);
      await server.end();
    },
  };
}
