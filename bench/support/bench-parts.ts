import path from 'node:path';
import type { Pool } from 'pg';
import pino, { type Logger } from 'pino';
import { issueToken } from '#controller/people/tokens.ts';
import { connectDatabase } from '#controller/database/connect.ts';
import { migrate } from '#controller/database/migrate.ts';
import { startEmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';
import { startController, type Controller, type ControllerOptions } from '#controller/start-controller.ts';
import type { OpenController } from '#tests/testbed/support/join-over-link.ts';
import { sendWith, type Send } from '#tests/support/controller.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const startLimitMs = 60_000;

/** Where the parts of a bench keep what they store. */
export interface BenchPlace {
  databaseUrl: string;
  /** For other files of the bench too. */
  folder: string;
  log: Logger;
}

export interface BenchPostgres extends BenchPlace, AsyncDisposable {
  readonly processId: number;
}

/** PostgreSQL with an empty database in a folder of its own, which is removed with it. Warnings go to standard error unless `log` is given. */
export async function startBenchPostgres(log = pino({ level: 'warn' }, pino.destination(2))): Promise<BenchPostgres> {
  const home = await makeTemporaryFolder('http-ae-bench-');
  try {
    const postgres = await startEmbeddedPostgres({
      folder: path.join(home.path, 'postgres'),
      log,
      signal: AbortSignal.timeout(startLimitMs),
    });
    return {
      databaseUrl: postgres.databaseUrl,
      folder: home.path,
      log,
      get processId() {
        return postgres.processId;
      },
      async [Symbol.asyncDispose]() {
        await postgres.stop();
        await home[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await home[Symbol.asyncDispose]();
    throw error;
  }
}

/** Of a bench without a Controller: the tables, and connections to them. */
export async function openBenchPool({ databaseUrl, log }: BenchPlace): Promise<Pool & AsyncDisposable> {
  const pool = await connectDatabase({ databaseUrl, log });
  await migrate(pool, log);
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}

/** A Controller in this process. */
export function startBenchController(
  { databaseUrl, folder, log }: BenchPlace,
  options: Partial<ControllerOptions> = {},
): Promise<Controller> {
  return startController({
    databaseUrl,
    host: '127.0.0.1',
    port: 0,
    webUiFolder: null,
    artefactsFolder: path.join(folder, 'artefacts'),
    log,
    signal: AbortSignal.timeout(startLimitMs),
    ...options,
  });
}

/** A program of the API with a token of its own. */
export async function openBenchProgram({ pool, url }: { pool: Pool; url: string }): Promise<Send> {
  const { token } = await issueToken(pool, { name: 'bench', scope: 'api' });
  return sendWith((to, init) => fetch(url + to, init), { authorization: `Bearer ${token}` });
}

/** A log that only keeps the texts of warnings and errors. */
export function keepWarnings(): { log: Logger; warnings: ReadonlySet<string> } {
  const warnings = new Set<string>();
  const log = pino(
    { level: 'warn' },
    { write: (line) => void warnings.add((JSON.parse(line) as { msg: string }).msg) },
  );
  return { log, warnings };
}

/** What `joinOverLink` joins instead of a test's own. */
export async function openBenchController(): Promise<OpenController> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startBenchPostgres());
  const controller = stack.use(await startBenchController(postgres));
  const program = await openBenchProgram({ pool: controller.pool, url: controller.localUrl });
  const opened = stack.move();
  return { controller, program, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
