import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueToken } from '#controller/people/tokens.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { TestbedStateSchema, type TestbedState } from '#core/protocol/api/testbed-state.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { OwnTestbed } from '../../cli/testbed/own-testbed.ts';
import { startTestController, type Send } from '../support/controller.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const own = (testbed: OwnTestbed) => startTestController({ testbed });
const readState = async (send: Send): Promise<TestbedState> =>
  TestbedStateSchema.parse(await (await send('/api/testbed')).json());
const limit = { timeout: 120_000 };

async function listConnected(send: Send): Promise<string[]> {
  const agents = z.array(AgentSummarySchema).parse(await (await send('/api/agents')).json());
  return agents.flatMap(({ name, isConnected }) => (isConnected ? [name] : []));
}

function connect(testbed: OwnTestbed, { controller }: Awaited<ReturnType<typeof own>>): void {
  const issue = async (order: Parameters<typeof issueToken>[1]) => (await issueToken(controller.pool, order)).token;
  testbed.connect({ controllerUrl: controller.localUrl, ledger: { issue } });
}

test('an admin starts the testbed of the Controller’s machine, and ends it with all that was of it', async () => {
  await using folder = await makeTemporaryFolder();
  await using testbed = new OwnTestbed(folder.path);
  await using on = await own(testbed);
  const { browser } = await on.signIn();
  const evaluator = (await on.signIn('evaluator')).browser;
  expect(await readState(evaluator)).toEqual({ kind: 'unavailable', reason: 'The Controller is still starting' });
  connect(testbed, on);
  expect(await readState(evaluator)).toEqual({ kind: 'off', reason: null });
  for (const method of ['POST', 'DELETE']) expect((await evaluator('/api/testbed', { method })).status).toBe(403);

  const earlier = new Set(listNamespaces().map(({ owner }) => owner.pid));
  const ownPlaces = () => listNamespaces().filter(({ owner }) => !earlier.has(owner.pid));
  // A second click is none.
  for (let click = 0; click < 2; click++) expect((await browser('/api/testbed', { method: 'POST' })).status).toBe(204);
  await expect.poll(() => readState(browser), limit).toEqual({ kind: 'on' });
  await expect.poll(() => listConnected(browser), limit).toEqual(['ground', 'remote', 'testbed']);
  const [place] = ownPlaces();
  expect(place).toBeDefined();

  expect((await browser('/api/testbed', { method: 'DELETE' })).status).toBe(204);
  expect(await readState(browser)).toEqual({ kind: 'off', reason: null });
  expect(ownPlaces().filter(({ owner }) => owner.pid === place!.owner.pid)).toEqual([]);
  await expect.poll(() => listConnected(browser), limit).toEqual([]);
  const { rows } = await on.controller.pool.query<{ action: string }>(
    "select action from audit_entry where action like 'testbed%' order by id",
  );
  expect(rows.map(({ action }) => action)).toEqual(['testbed-started', 'testbed-started', 'testbed-ended']);
});

test('one that cannot be started says why', async () => {
  await using testbed = new OwnTestbed(path.join('/dev/null', 'home'));
  await using on = await own(testbed);
  connect(testbed, on);
  const { browser } = await on.signIn();
  await browser('/api/testbed', { method: 'POST' });
  await expect
    .poll(() => readState(browser), limit)
    .toEqual({ kind: 'off', reason: expect.stringContaining('/dev/null/home') as string });
});

test('a Controller without a machine to start it on says how to have one', async () => {
  await using on = await startTestController();
  const { browser } = await on.signIn();
  const reason = expect.stringContaining('./http-ae up --agent') as string;
  expect(await readState(browser)).toEqual({ kind: 'unavailable', reason });
  expect((await browser('/api/testbed', { method: 'POST' })).status).toBe(409);
});
