import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { z } from 'zod';
import { postJson, startTestController, type TestController } from '../../support/controller.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { hasPgbouncer, startPgbouncer } from '../../support/start-pgbouncer.ts';
import { startTcpRelay } from '../../support/tcp-relay.ts';
import { countCompleted, evaluationOn, servePage, startMeasuringAgent, type Page } from './support/measuring-agent.ts';

let database: TestDatabase;
let pool: Pool;
let page: Page;
let one: TestController;
let other: TestController;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  database = stack.use(await createTestDatabase());
  ({ pool } = database);
  page = stack.use(await servePage());
  // Behind PgBouncer, where it is installed.
  const pooler = hasPgbouncer() ? stack.use(await startPgbouncer(database.databaseUrl)) : database;
  one = stack.use(
    await startTestController({
      sharedDatabase: database,
      databaseUrl: pooler.databaseUrl,
      listenDatabaseUrl: database.databaseUrl,
    }),
  );
  other = stack.use(await startTestController({ sharedDatabase: database }));
});
afterEach(() => stack.disposeAsync());

async function requestRun({ program }: TestController, evaluation: Evaluation): Promise<string> {
  const { id } = z
    .object({ id: z.string() })
    .parse(await (await program('/api/evaluations', postJson(evaluation))).json());
  return z.object({ id: z.string() }).parse(await (await program(`/api/evaluations/${id}/runs`, postJson({}))).json())
    .id;
}

const stateOf = async (id: string) =>
  (await pool.query<{ state: string }>('select state from run where id = $1', [id])).rows[0]!.state;
const countBroken = async (id: string) =>
  (await pool.query(`select from round where run_id = $1 and state = 'broken'`, [id])).rowCount;
const portOf = ({ controller }: TestController) => Number(new URL(controller.localUrl).port);

test(
  'an Agent that changes its Controller in a Round, away from the owner and back, finishes that Round',
  { timeout: 180_000 },
  async () => {
    await using relay = await startTcpRelay(portOf(one));
    stack.use(await startMeasuringAgent({ pool, controllerUrl: `http://127.0.0.1:${relay.port}`, name: 'laptop' }));
    await expect.poll(() => one.controller.agents.isConnected('laptop'), { timeout: 60_000 }).toBe(true);
    page.hold();
    const id = await requestRun(one, evaluationOn(['laptop'], { url: page.url, rounds: 1 }));
    for (const [index, next] of [other, one, other].entries()) {
      await expect.poll(() => page.requests, { timeout: 60_000 }).toBe(index + 1);
      relay.moveTo(portOf(next));
      await expect.poll(() => next.controller.agents.isConnected('laptop'), { timeout: 60_000 }).toBe(true);
      page.release();
      page.hold();
    }
    page.release();
    await expect.poll(() => stateOf(id), { timeout: 120_000 }).toBe('completed');
    expect(await countCompleted(pool, id)).toEqual({ rounds: 2, indexes: 2, visits: 6, distinctVisits: 6 });
    expect(await countBroken(id)).toBe(0);
  },
);
