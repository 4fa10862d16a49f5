import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { verifyToken } from '#controller/access/issue-token.ts';
import { recordAgent, recordAgentClock } from '#controller/db/agents.ts';
import { startWebUi, type WebUi } from '#tests/support/web-ui.ts';

let ui: WebUi;
beforeAll(async () => {
  ui = await startWebUi();
});
afterAll(() => ui[Symbol.asyncDispose]());
afterEach(() => expect(ui.complaints).toEqual([]));

const facts = {
  hostname: 'lab',
  platform: 'linux',
  architecture: 'x64',
  release: '6.1',
  cpuCount: 2,
  memoryBytes: 4 * 2 ** 30,
  nodeVersion: 'v24',
  interfaces: [{ name: 'eth0', addresses: ['192.0.2.7'] }],
  engines: [{ engine: 'chrome' as const, version: 'Chromium 150' }],
  testbed: null, scriptsAllowed: false,
};

test('adding a host gives the command to paste, with a token that works until it is revoked', async () => {
  const { pool } = ui.controller.database;
  const page = await ui.open({ path: '/hosts' });
  await page.getByRole('heading', { name: 'No host has joined yet' }).waitFor();
  await page.getByRole('button', { name: 'Add a host' }).click();
  await page.getByLabel('Name of the host').fill('the lab');
  await page.getByRole('button', { name: 'Make a token' }).click();

  const command = await page.getByRole('dialog').locator('code').first().innerText();
  const [, controller, token, name] = /^\.\/http-ae agent --controller (\S+) --token (\S+) --name '(.*)'$/.exec(command)!;
  expect({ controller, name }).toEqual({ controller: ui.controller.controller.url, name: 'the lab' });
  const made = await verifyToken(pool, token!, 'agent');
  expect(made).toMatchObject({ name: 'the lab', agentName: 'the lab' });
  await page.getByRole('button', { name: 'Done' }).click();

  await recordAgent(pool, { name: 'the lab', tokenId: made!.id, agentVersion: '0.1.0', facts });
  await recordAgentClock(pool, { name: 'the lab', offsetMs: -12.43, errorMs: 0.21 });
  await page.getByRole('row', { name: /the lab.*not connected.*chrome Chromium 150.*eth0 192\.0\.2\.7.*−12\.4 ms ± 0\.2/ }).waitFor();

  await page.getByRole('button', { name: 'Revoke the lab' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('None. Adding a host makes one.').waitFor({ state: 'detached' });
  expect(await verifyToken(pool, token!, 'agent')).toBeNull();
});
