import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertMessages } from '#controller/db/controller-messages.ts';
import type { ExchangedMessage } from '#controller/exchange/exchanged-message.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { RunDetailSchema, type RunDetail } from '#core/protocol/api/run.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { z } from 'zod';
import { postJson, startTestController, type TestController } from '../../support/controller.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { joinAgent } from '../../support/join-agent.ts';
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
const countBroken = async (id: string) =>
  (await pool.query(`select from round where run_id = $1 and state = 'broken'`, [id])).rowCount;

test(
  'a Run whose Agents are at different Controllers is executed by one of them, and both show it alike while it is measured',
  { timeout: 180_000 },
  async () => {
    stack.use(await startMeasuringAgent({ pool, controllerUrl: one.controller.url, name: 'laptop' }));
    stack.use(await startMeasuringAgent({ pool, controllerUrl: other.controller.url, name: 'desktop' }));
    await expect
      .poll(() => one.controller.agents.isConnected('laptop') && other.controller.agents.isConnected('desktop'), {
        timeout: 60_000,
      })
      .toBe(true);
    page.hold();
    const id = await requestRun(other, evaluationOn(['laptop', 'desktop'], { url: page.url, rounds: 1 }));
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
    await expect.poll(() => stateOf(id), { timeout: 120_000 }).toBe('completed');
    expect(await countCompleted(pool, id)).toEqual({ rounds: 2, indexes: 2, visits: 12, distinctVisits: 12 });
    expect(await countBroken(id)).toBe(0);
    await expect.poll(async () => (await pool.query('select from controller_message')).rowCount).toBe(0);
  },
);

test(
  'at another Controller, an order is executed once, that of an owner before is not, and a revoked token ends the line',
  { timeout: 180_000 },
  async () => {
    await using laptop = await joinAgent(other.controller, { name: 'laptop' });
    const evaluation = evaluationOn(['laptop'], { url: page.url, rounds: 1 });
    const id = await requestRun(one, evaluation);
    await one.program(`/api/runs/${id}/pause`, { method: 'POST' });
    await expect.poll(() => stateOf(id)).toBe('running');
    const { rows } = await pool.query<{ owner: string; epoch: number; recipient: string; line: number }>(
      `select owner, epoch, controller as recipient, line::int from run, agent_line where run.id = $1`,
      [id],
    );
    const { owner, epoch, recipient, line } = rows[0]!;
    const send = (number: number, own: { epoch: number; line: number }, reason: string) =>
      insertMessages(pool, owner, [
        {
          to: recipient,
          number,
          run: { id, epoch: own.epoch },
          body: JSON.stringify({
            kind: 'order',
            agent: 'laptop',
            line: own.line,
            message: { type: 'cancel-pass', passId: randomUUID(), reason },
          } satisfies ExchangedMessage),
        },
      ]);
    await send(1_000, { epoch, line }, 'first');
    const heard = () => laptop.heard.flatMap((message) => (message.type === 'cancel-pass' ? [message.reason] : []));
    await expect.poll(heard).toContain('first');
    await send(1_000, { epoch, line }, 'repeated');
    await send(1_001, { epoch: epoch - 1, line }, 'of an owner before');
    await send(1_002, { epoch, line: line - 1 }, 'for a line before');
    await send(1_003, { epoch, line }, 'last');
    await expect.poll(heard).toContain('last');
    expect(heard().filter((reason) => reason !== 'The Round is over')).toEqual(['first', 'last']);

    const { rows: tokens } = await pool.query<{ id: string }>(`select token_id as id from agent where name = 'laptop'`);
    const { browser } = await one.signIn();
    expect((await browser(`/api/tokens/${tokens[0]!.id}`, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(() => laptop.heard.at(-1)).toMatchObject({ type: 'refused', code: 'token-refused' });
  },
);

test('a token that was revoked ends the line, though the notice of it was lost', async () => {
  await using desk = await joinAgent(other.controller, { name: 'desk' });
  await pool.query(`update token set revoked_at = now() where id = (select token_id from agent where name = 'desk')`);
  await expect.poll(() => desk.heard.at(-1)).toMatchObject({ type: 'refused', code: 'token-refused' });
});
