import { expect, test } from 'vitest';
import { issueToken, verifyToken } from '#controller/people/tokens.ts';
import { recordAgent, recordAgentClocks, removeAgent } from '#controller/agents/agents.ts';
import type { HostJoining } from '#controller/agents/host-joins.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { readEnrolmentLink } from '#core/protocol/enrolment-link.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

/** A machine whose key is unknown. It lets in by one password, and its connection lasts until it is stopped. */
const machine = { type: 'ED25519', fingerprint: `SHA256:${'k'.repeat(43)}` };
const joining: HostJoining = async ({ hostKey, login }, { say, signal }) => {
  say('connecting to root@192.0.2.7');
  if (hostKey !== machine.fingerprint) return { kind: 'failed', reason: 'its host key is unknown', hostKey: machine };
  if (login.kind !== 'password' || login.password !== 'right')
    return { kind: 'failed', reason: 'it does not let "root" in with this password', hostKey: null };
  say('joined through a tunnel after 3 s');
  const ended = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('disconnected')));
  return Promise.resolve({ kind: 'joined', ended });
};
const ui = useWebUi({ hostJoining: joining });

test('adding a host gives the command to paste, with a token that works until it is revoked', async () => {
  const { pool } = ui.controller.database;
  const page = await ui.open({ path: '/hosts' });
  await page.getByRole('heading', { name: 'No host has joined yet' }).waitFor();
  await page.getByRole('button', { name: 'Add a host' }).click();
  await page.getByLabel('Name of the host').fill('the lab');
  await page.getByRole('button', { name: 'Create a token' }).click();

  const command = await page.getByRole('dialog').locator('code').first().innerText();
  const [, controller, token, name] = /^\.\/http-ae agent --controller (\S+) --token (\S+) --name '(.*)'$/.exec(
    command,
  )!;
  expect({ controller, name }).toEqual({ controller: ui.controller.controller.url, name: 'the lab' });
  const made = await verifyToken(pool, token!, 'agent');
  expect(made).toMatchObject({ name: 'the lab', agentName: 'the lab' });
  await page.getByText('Waiting for the lab to connect').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await recordAgent(pool, { name: 'the lab', tokenId: made!.id, agentVersion: '0.1.0', facts: hostFacts });
  await recordAgentClocks(pool, [{ name: 'the lab', offsetMs: -12.43, errorMs: 0.21 }]);
  await page
    .getByRole('row', { name: /the lab.*not connected.*chrome Chromium 150.*eth0 192\.0\.2\.7.*−12\.4 ms ± 0\.2/ })
    .waitFor();

  await page.getByRole('button', { name: 'Revoke the lab' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('heading', { name: 'No host has joined yet' }).waitFor();
  expect(await verifyToken(pool, token!, 'agent')).toBeNull();
});

test('a Run that a host is missing for is asked about before, and leads to adding that host by its name', async () => {
  const { pool } = ui.controller.database;
  const { id } = await createEvaluation(pool, makeEvaluation({ name: 'before its host' }));
  const page = await ui.open({ path: `/evaluations/${id}` });
  const countRuns = async () => (await pool.query('select id from run where evaluation_id = $1', [id])).rowCount;
  await page.getByText('laptop is not connected').waitFor();
  await page.getByRole('button', { name: 'Run before its host' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('laptop is not connected. Add it under Hosts').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await countRuns()).toBe(0);

  await page.getByRole('button', { name: 'Run before its host' }).click();
  await dialog.getByRole('button', { name: 'Run anyway' }).click();
  await page.getByText('Waiting for an Agent: laptop').waitFor();
  await page.getByRole('link', { name: 'Add laptop' }).click();
  await page.getByLabel('Name of the host').waitFor();
  expect(await page.getByLabel('Name of the host').inputValue()).toBe('laptop');
  expect(await countRuns()).toBe(1);
});

test('the extension gets a link that its options understand', async () => {
  const page = await ui.open({ path: '/hosts' });
  await page.getByRole('button', { name: 'Add a host' }).click();
  await page.getByRole('dialog').getByText('Extension', { exact: true }).click();
  await page.getByLabel('Name of the host').fill('laptop of Ann');
  await page.getByRole('button', { name: 'Create a token' }).click();
  const link = await page.getByRole('dialog').locator('code').first().innerText();
  expect(readEnrolmentLink(link)).toEqual({
    controllerUrl: `${ui.controller.controller.url}/`,
    token: expect.stringMatching(/^hae_/) as string,
    name: 'laptop of Ann',
  });
});

test('an admin joins a machine over SSH: compares its key, corrects the password, and disconnects it', async () => {
  const page = await ui.open({ path: '/hosts/ssh' });
  await page.getByRole('link', { name: 'Connect a machine' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the host').fill('lab-9');
  await dialog.getByLabel('Address').fill('192.0.2.7');
  await dialog.getByLabel('User', { exact: true }).fill('root');
  await dialog.getByText('Password', { exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await dialog.getByText(`ED25519 ${machine.fingerprint}`).waitFor();
  await dialog.getByText('ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'The same: connect' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'it does not let "root" in with this password' }).waitFor();
  await dialog.getByRole('button', { name: 'Back' }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill('right');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await dialog.getByRole('button', { name: 'The same: connect' }).click();
  await dialog.getByText('lab-9 (root@192.0.2.7) is connected').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.goto(`${ui.controller.controller.url}/hosts/ssh`);
  await page.getByText('lab-9 (root@192.0.2.7) is connected').waitFor();
  await page.getByRole('button', { name: 'Disconnect lab-9' }).click();
  await page
    .getByRole('dialog', { name: 'Disconnect the host “lab-9”?' })
    .getByRole('button', { name: 'Disconnect' })
    .click();
  await page.getByText('lab-9 (root@192.0.2.7)').waitFor({ state: 'detached' });
});

test('an evaluator reads why they cannot join a machine over SSH', async () => {
  const page = await ui.open({ path: '/hosts?add=&by=ssh', role: 'evaluator' });
  await page.getByText('This needs the role “admin”, as the Controller’s machine opens the connection.').waitFor();
});

test('hosts by SSH have a page with the commands, and their state', async () => {
  const { pool } = ui.controller.database;
  const { id: tokenId } = await issueToken(pool, { name: './http-ae hosts up', scope: 'agent' });
  const seen = { tokenId, agentVersion: '0.1.0' };
  await recordAgent(pool, { name: 'by hand', ...seen, facts: hostFacts });
  const page = await ui.open({ path: '/hosts' });
  await page.getByRole('link', { name: 'By SSH' }).click();
  await page.getByRole('heading', { name: 'Hosts by SSH' }).waitFor();
  await page.getByText('No host has joined by SSH yet').waitFor();
  const commands = await page.locator('code').allInnerTexts();
  expect(commands).toEqual(expect.arrayContaining(['./http-ae hosts up --inventory hosts.yaml --service']));
  await recordAgent(pool, { name: 'lab-1', ...seen, facts: { ...hostFacts, bySsh: 'service' } });
  await page.reload();
  await page.getByRole('row', { name: /lab-1.*by SSH \(service\).*not connected/ }).waitFor();
  expect(await page.getByRole('row', { name: /by hand/ }).count()).toBe(0);
  for (const name of ['by hand', 'lab-1']) await removeAgent(pool, name);
});

test('where a browser gives no clipboard, as over http: from another machine, the command is selected', async () => {
  const page = await ui.open({ path: '/hosts' });
  await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
  await page.reload();
  await page.getByRole('button', { name: 'Add a host' }).click();
  await page.getByLabel('Name of the host').fill('far');
  await page.getByRole('button', { name: 'Create a token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Select' }).first().click();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(await dialog.locator('code').first().innerText());
});

test('the hosts stay on the page when an update fails, and a notice says that they may be out of date', async () => {
  const page = await ui.open({ path: '/hosts' });
  await page.getByRole('heading', { name: 'No host has joined yet' }).waitFor();
  await page.route('**/api/agents', (route) => route.fulfill({ status: 500 }));
  const alert = page.getByRole('alert').filter({ hasText: 'The hosts may be out of date: the update failed' });
  await alert.waitFor();
  await page.getByRole('heading', { name: 'No host has joined yet' }).waitFor();
  await page.unroute('**/api/agents');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await alert.waitFor({ state: 'detached' });
});

test('a viewer sees the hosts, and why they cannot add one', async () => {
  const page = await ui.open({ path: '/hosts', role: 'viewer' });
  expect(await page.getByRole('button', { name: 'Add a host' }).isDisabled()).toBe(true);
  await page.getByRole('group', { name: 'Needs the role evaluator' }).first().focus();
  await page.getByText('This needs the role “evaluator”. Your role is “viewer”.').waitFor();
});
