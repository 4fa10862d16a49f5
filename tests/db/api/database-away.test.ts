import path from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';
import { startController } from '#controller/start-controller.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('while the database is away the controller says so, and it works again when the database does', async () => {
  await using folder = await makeTemporaryFolder();
  const log = pino({ level: 'silent' });
  const signal = AbortSignal.timeout(50_000);
  const startPostgres = () => startEmbeddedPostgres({ folder: path.join(folder.path, 'postgres'), log, signal });
  const postgres = await startPostgres();
  await using controller = await startController({
    databaseUrl: postgres.databaseUrl,
    host: '127.0.0.1',
    port: 0,
    webUiFolder: null,
    artefactsFolder: path.join(folder.path, 'artefacts'),
    log,
    signal,
  });
  expect((await fetch(`${controller.url}/api/health`)).status).toBe(200);

  await postgres.stop();
  expect((await fetch(`${controller.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${controller.url}/readyz`)).status).toBe(503);
  const away = await fetch(`${controller.url}/api/health`);
  expect([away.status, ProblemSchema.parse(await away.json()).code]).toEqual([503, 'database-unreachable']);

  await using again = await startPostgres();
  expect(again.databaseUrl).toBe(postgres.databaseUrl);
  expect((await fetch(`${controller.url}/api/health`)).status).toBe(200);
});
