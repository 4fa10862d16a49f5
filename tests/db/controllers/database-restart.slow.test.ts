import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectDatabase, type DatabasePool } from '#controller/database/connect.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#controller/database/embedded/start-embedded-postgres.ts';
import { startTestController, type TestController } from '../../support/controller.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import {
  AcknowledgedVisits,
  countCompleted,
  evaluationOn,
  servePage,
  startMeasuringAgent,
  type Page,
} from './support/measuring-agent.ts';
import { readState, requestRun } from './support/two-controllers.ts';

// Three Controllers with an Agent each share a PostgreSQL of their own, which ends in a Round and comes back at its address.

const hosts = ['laptop', 'desktop', 'tablet'];
const limitMs = 240_000;
const log = pino({ level: 'silent' });

let stack: AsyncDisposableStack;
let folder: string;
let postgres: EmbeddedPostgres;
let pool: DatabasePool;
let page: Page;
let controllers: TestController[];
let acknowledged: AcknowledgedVisits;
let runId: string;

const startPostgres = () => startEmbeddedPostgres({ folder, log, signal: AbortSignal.timeout(60_000) });

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  folder = path.join(stack.use(await makeTemporaryFolder()).path, 'postgres');
  postgres = await startPostgres();
  stack.defer(() => postgres.stop());
  const { databaseUrl } = postgres;
  pool = await connectDatabase({ databaseUrl, log });
  stack.defer(() => pool.end());
  page = stack.use(await servePage());
  acknowledged = new AcknowledgedVisits();
  controllers = [];
  for (const name of hosts) {
    const controller = stack.use(
      await startTestController({
        sharedDatabase: { databaseUrl, pool, [Symbol.asyncDispose]: () => Promise.resolve() },
      }),
    );
    controllers.push(controller);
    const port = Number(new URL(controller.controller.localUrl).port);
    const relay = stack.use(await startTcpRelay(port, { onAnswer: acknowledged.hear }));
    stack.use(await startMeasuringAgent({ pool, controllerUrl: `http://127.0.0.1:${relay.port}`, name }));
    await expect.poll(() => controller.controller.agents.isConnected(name), { timeout: 60_000 }).toBe(true);
  }
  page.hold();
  runId = await requestRun(controllers[0]!, evaluationOn(hosts, { url: page.url, rounds: 2 }));
  await expect.poll(() => page.requests, { timeout: 60_000 }).toBe(hosts.length);
}, limitMs);
afterEach(() => stack.disposeAsync());

/** Each planned Visit is there once, and none that an Agent was informed of is lost. All Controllers live. */
async function expectWhole(): Promise<void> {
  await expect
    .poll(() => readState(pool, runId).catch((error: unknown) => (error as Error).message), { timeout: 150_000 })
    .toBe('completed');
  expect(await countCompleted(pool, runId)).toEqual({ rounds: 4, indexes: 4, visits: 36, distinctVisits: 36 });
  const known = await acknowledged.count(pool);
  expect(known.stored).toBe(known.acknowledged);
  expect(known.acknowledged).toBeGreaterThanOrEqual(36);
  for (const { anonymous } of controllers) expect((await anonymous('/readyz')).status).toBe(200);
}

test.for([
  ['ends in an orderly way', 'SIGINT'],
  ['crashes', 'SIGKILL'],
] as const)('PostgreSQL %s and starts again, and the Run continues', { timeout: limitMs }, async ([, signalName]) => {
  const ended = postgres.processId;
  process.kill(ended, signalName);
  await expect.poll(() => postgres.processId, { timeout: 30_000 }).not.toBe(ended);
  page.release();
  await expectWhole();
});

test(
  'PostgreSQL is away for longer than a lease, and a Controller takes the Run again',
  { timeout: limitMs },
  async () => {
    await postgres.stop();
    page.release();
    await pause(15_000);
    postgres = await startPostgres();
    await expectWhole();
  },
);
