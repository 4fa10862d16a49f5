/** Writes docs/schema.sql: `node tests/db/write-schema.ts`, after a new migration. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { connectDatabase } from '#controller/database/connect.ts';
import { migrate } from '#controller/database/migrate.ts';
import { startEmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';
import { describeSchema } from './support/describe-schema.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'http-ae-schema-'));
const log = pino({ level: 'warn' }, pino.destination(2));
const postgres = await startEmbeddedPostgres({ folder, log, signal: AbortSignal.timeout(60_000) });
try {
  const pool = await connectDatabase({ databaseUrl: postgres.databaseUrl, log });
  await migrate(pool, log);
  await writeFile(path.resolve(import.meta.dirname, '../../docs/schema.sql'), await describeSchema(pool));
  await pool.end();
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
