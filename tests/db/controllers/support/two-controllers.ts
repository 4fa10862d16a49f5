import type { Pool } from 'pg';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import { postJson, startTestController, type TestController } from '../../../support/controller.ts';
import { createTestDatabase } from '../../../support/database.ts';
import { hasPgbouncer, startPgbouncer } from '../../../support/start-pgbouncer.ts';
import { countCompleted, evaluationOn, servePage, startMeasuringAgent, type Page } from './measuring-agent.ts';

export interface TwoControllers extends AsyncDisposable {
  pool: Pool;
  page: Page;
  one: TestController;
  other: TestController;
  stack: AsyncDisposableStack;
}

/** Two Controllers that share a database. Those that are pooled reach it by PgBouncer, where that is installed. */
export async function startTwoControllers(pooled: readonly ('one' | 'other')[] = []): Promise<TwoControllers> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase());
  const page = stack.use(await servePage());
  const pooler = pooled.length > 0 && hasPgbouncer() ? stack.use(await startPgbouncer(database.databaseUrl)) : database;
  const start = async (which: 'one' | 'other') =>
    stack.use(
      await startTestController({
        sharedDatabase: database,
        ...(pooled.includes(which) && { databaseUrl: pooler.databaseUrl, listenDatabaseUrl: database.databaseUrl }),
      }),
    );
  const one = await start('one');
  const other = await start('other');
  const owned = stack.move();
  return { pool: database.pool, page, one, other, stack: owned, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

export async function requestRun({ program }: TestController, evaluation: Evaluation): Promise<string> {
  const { id } = z
    .object({ id: z.string() })
    .parse(await (await program('/api/evaluations', postJson(evaluation))).json());
  return z.object({ id: z.string() }).parse(await (await program(`/api/evaluations/${id}/runs`, postJson({}))).json())
    .id;
}

const readRun = async ({ program }: TestController, id: string): Promise<RunDetail> =>
  RunDetailSchema.parse(await (await program(`/api/runs/${id}`)).json());

export const readState = async (pool: Pool, id: string): Promise<string> =>
  (await pool.query<{ state: string }>('select state from run where id = $1', [id])).rows[0]!.state;

export const countBroken = async (pool: Pool, id: string): Promise<number | null> =>
  (await pool.query(`select from round where run_id = $1 and state = 'broken'`, [id])).rowCount;

/** Lets a Run be measured whose two Agents are at different Controllers, and expects both to show the same of it. */
export async function measureAtBoth({ pool, page, one, other, stack }: TwoControllers): Promise<void> {
  stack.use(await startMeasuringAgent({ pool, controllerUrl: one.controller.url, name: 'laptop' }));
  stack.use(await startMeasuringAgent({ pool, controllerUrl: other.controller.url, name: 'desktop' }));
  await expect
    .poll(() => one.controller.agents.isConnected('laptop') && other.controller.agents.isConnected('desktop'), {
      timeout: 60_000,
    })
    .toBe(true);
  page.hold();
  // In step, so that what is said of it passes between the Controllers, too.
  const { repetition, ...evaluation } = evaluationOn(['laptop', 'desktop'], { url: page.url, rounds: 1 });
  const id = await requestRun(other, { ...evaluation, repetition: { ...repetition, barrier: 'page' } });
  await expect.poll(() => page.requests, { timeout: 60_000 }).toBe(2);
  for (const controller of [one, other])
    expect(await readRun(controller, id)).toMatchObject({ state: 'running', missingAgents: [] });
  const hosts = z.array(AgentSummarySchema).parse(await (await other.program('/api/agents')).json());
  expect(hosts.map(({ name, isConnected }) => [name, isConnected])).toEqual([
    ['desktop', true],
    ['laptop', true],
  ]);
  page.release();
  page.hold();
  const progressAt = async (controller: TestController) =>
    (await readRun(controller, id)).rounds.flatMap(({ passes }) =>
      passes.map(({ visitsMade, lastUrl, currentUrl }) => [visitsMade, lastUrl, currentUrl]),
    );
  const madeOne = [1, `${page.url}/1`, `${page.url}/2`];
  for (const controller of [one, other])
    await expect.poll(() => progressAt(controller), { timeout: 30_000 }).toEqual([madeOne, madeOne]);
  page.release();
  await expect.poll(() => readState(pool, id), { timeout: 120_000 }).toBe('completed');
  expect(await countCompleted(pool, id)).toEqual({ rounds: 2, indexes: 2, visits: 12, distinctVisits: 12 });
  expect(await countBroken(pool, id)).toBe(0);
  await expect.poll(async () => (await pool.query('select from controller_message')).rowCount).toBe(0);
}
