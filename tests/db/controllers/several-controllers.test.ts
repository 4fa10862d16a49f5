import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { z } from 'zod';
import { postJson, startTestController, type TestController } from '../../support/controller.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { joinAgent } from '../../support/join-agent.ts';
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
  one = stack.use(await startTestController({ sharedDatabase: database }));
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

const readRun = async ({ program }: TestController, id: string): Promise<RunDetail> =>
  RunDetailSchema.parse(await (await program(`/api/runs/${id}`)).json());
const stateOf = async (id: string) =>
  (await pool.query<{ state: string }>('select state from run where id = $1', [id])).rows[0]!.state;
const portOf = ({ controller }: TestController) => Number(new URL(controller.localUrl).port);

test(
  'a Run that is requested of one Controller is executed by the other, which its Agents are connected to, and both show it alike',
  { timeout: 180_000 },
  async () => {
    stack.use(await startMeasuringAgent({ pool, controllerUrl: one.controller.url, name: 'laptop' }));
    stack.use(await startMeasuringAgent({ pool, controllerUrl: one.controller.url, name: 'desktop' }));
    await expect
      .poll(() => ['laptop', 'desktop'].every((name) => one.controller.agents.isConnected(name)), { timeout: 60_000 })
      .toBe(true);
    page.hold();
    const id = await requestRun(other, evaluationOn(['laptop', 'desktop'], { url: page.url, rounds: 2 }));
    await expect.poll(() => page.requests, { timeout: 60_000 }).toBeGreaterThan(0);
    for (const controller of [one, other])
      expect(await readRun(controller, id)).toMatchObject({ state: 'running', missingAgents: [], scatteredAgents: [] });
    const hosts = z.array(AgentSummarySchema).parse(await (await other.program('/api/agents')).json());
    expect(hosts.map(({ name, isConnected }) => [name, isConnected])).toEqual([
      ['desktop', true],
      ['laptop', true],
    ]);
    page.release();
    await expect.poll(() => stateOf(id), { timeout: 120_000 }).toBe('completed');
    expect(await countCompleted(pool, id)).toEqual({ rounds: 4, indexes: 4, visits: 24, distinctVisits: 24 });
  },
);

test(
  'a Run whose Agents are connected to different Controllers waits and says so; it begins when they come to one',
  { timeout: 180_000 },
  async () => {
    stack.use(await startMeasuringAgent({ pool, controllerUrl: one.controller.url, name: 'laptop' }));
    const desktop = await startMeasuringAgent({ pool, controllerUrl: other.controller.url, name: 'desktop' });
    await expect
      .poll(() => one.controller.agents.isConnected('laptop') && other.controller.agents.isConnected('desktop'), {
        timeout: 60_000,
      })
      .toBe(true);
    const id = await requestRun(one, evaluationOn(['laptop', 'desktop'], { url: page.url, rounds: 1 }));
    const places = [
      { agent: 'laptop', controller: expect.stringContaining(one.controller.localUrl) as string },
      { agent: 'desktop', controller: expect.stringContaining(other.controller.localUrl) as string },
    ];
    for (const controller of [one, other])
      await expect
        .poll(async () => readRun(controller, id))
        .toMatchObject({ state: 'pending', missingAgents: [], scatteredAgents: places });

    // A Run behind it that can be executed is.
    const later = await requestRun(other, evaluationOn(['desktop'], { url: page.url, rounds: 1 }));
    await expect.poll(() => stateOf(later), { timeout: 120_000 }).toBe('completed');
    expect(await stateOf(id)).toBe('pending');

    await desktop[Symbol.asyncDispose]();
    await expect
      .poll(async () => readRun(one, id))
      .toMatchObject({ state: 'pending', missingAgents: ['desktop'], scatteredAgents: [] });
    stack.use(await startMeasuringAgent({ pool, controllerUrl: one.controller.url, name: 'desktop' }));
    await expect.poll(() => stateOf(id), { timeout: 120_000 }).toBe('completed');
    expect(await countCompleted(pool, id)).toEqual({ rounds: 2, indexes: 2, visits: 12, distinctVisits: 12 });
  },
);

test('an owner whose Agents went to another Controller leaves it the Run', { timeout: 180_000 }, async () => {
  await using relay = await startTcpRelay(portOf(one));
  stack.use(await startMeasuringAgent({ pool, controllerUrl: `http://127.0.0.1:${relay.port}`, name: 'laptop' }));
  await expect.poll(() => one.controller.agents.isConnected('laptop'), { timeout: 60_000 }).toBe(true);
  const id = await requestRun(one, evaluationOn(['laptop'], { url: page.url, rounds: 2 }));
  await one.program(`/api/runs/${id}/pause`, { method: 'POST' });
  await expect.poll(() => stateOf(id)).toBe('running');
  await expect
    .poll(async () => (await readRun(one, id)).rounds.every(({ state }) => state === 'completed'), { timeout: 60_000 })
    .toBe(true);
  relay.moveTo(portOf(other));
  await expect.poll(() => other.controller.agents.isConnected('laptop'), { timeout: 60_000 }).toBe(true);
  await one.program(`/api/runs/${id}/resume`, { method: 'POST' });
  await expect.poll(() => stateOf(id), { timeout: 120_000 }).toBe('completed');
  expect(await countCompleted(pool, id)).toEqual({ rounds: 4, indexes: 4, visits: 12, distinctVisits: 12 });
});

test(
  'a Run that is to be stopped ends although its Agents are at no one Controller',
  { timeout: 180_000 },
  async () => {
    await using third = await startTestController({ sharedDatabase: database });
    await using laptop = await joinAgent(one.controller, { name: 'laptop' });
    await using desktop = await joinAgent(one.controller, { name: 'desktop' });
    const id = await requestRun(one, evaluationOn(['laptop', 'desktop'], { url: page.url, rounds: 1 }));
    await expect.poll(async () => (await readRun(one, id)).rounds.length, { timeout: 60_000 }).toBe(1);
    await one.controller.close();
    for (const agent of [laptop, desktop]) await agent[Symbol.asyncDispose]();
    stack.use(await joinAgent(third.controller, { name: 'laptop' }));
    stack.use(await joinAgent(other.controller, { name: 'desktop' }));
    await other.program(`/api/runs/${id}/stop`, { method: 'POST' });
    await expect.poll(() => stateOf(id), { timeout: 120_000 }).toBe('stopped');
  },
);
