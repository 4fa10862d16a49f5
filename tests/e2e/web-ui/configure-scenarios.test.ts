import { expect, test } from 'vitest';
import { expandDocument } from '#core/evaluation/evaluation-document.ts';
import { parse } from 'yaml';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { StoredEvaluations } from './support/stored-evaluations.ts';

const ui = useWebUi({ hosts: ['laptop'] });
const evaluations = new StoredEvaluations(ui);

test('a Scenario gets a link, a proxy and a script; User Agents are added alike; the preflight says what is missing', async () => {
  const { id } = await evaluations.store();
  const page = await ui.open({ path: `/evaluations/${id}` });
  const form = page.getByRole('group', { name: 'The Evaluation as a form' });
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });

  await page.getByRole('tab', { name: 'proxy' }).click();
  const versions = form.getByLabel('HTTP versions').first();
  await versions.click();
  expect(await page.getByRole('option').allTextContents()).toEqual(['http/1.1', 'h2', 'h3']);
  await page.getByRole('option', { name: 'h3' }).click();
  expect(await yaml.inputValue()).toMatch(/protocols:\s+- h3/);
  await versions.press('Backspace');
  await versions.press('Escape');
  await form.getByText('Emulated link', { exact: true }).click();
  await form.getByLabel('Requests cross an emulated link').press('Space');
  await form.getByRole('img', { name: /geo-256k, → 256 kb\/s, 300 ms.*proxy\.test:3128, proxy/ }).waitFor();
  await form.getByRole('group', { name: 'To the users (forward)' }).getByLabel('Loss', { exact: true }).fill('2,5');
  expect(await yaml.inputValue()).toContain('lossRatio: 0.025');
  const burst = form.getByRole('group', { name: 'To the users (forward)' }).getByLabel('Loss burst');
  await burst.fill('0,5');
  await page.getByText('must be at least 1 packet').first().waitFor();
  await burst.fill('4');
  await form.getByRole('combobox', { name: 'Tunnel' }).click();
  await page.getByRole('option', { name: 'WireGuard' }).click();
  expect(await yaml.inputValue()).toContain('tunnel:\n        kind: wireguard');
  await form.getByLabel('Background load').fill('bulk-download=2, torrent');
  await page
    .getByText(/^must be one of .*voice/)
    .first()
    .waitFor();
  await form.getByLabel('Background load').fill('bulk-download=2, voice');
  await form.getByLabel('A terminal and a gateway at the ends of the link').press('Space');
  await form.getByRole('switch', { name: /^Terrestrial segment/ }).press('Space');
  const terrestrial = form.getByRole('group', { name: 'Terrestrial segment' });
  await terrestrial.getByLabel('Delay, one way').first().fill('20');
  await form.getByRole('switch', { name: /^Transport PEP/ }).press('Space');
  await form.getByLabel('Splits at').click();
  await page.getByRole('option', { name: 'gateway', exact: true }).click();
  await form.getByRole('group', { name: 'Transport PEP' }).getByLabel('Window').fill('600000');
  expect(parse(await yaml.inputValue())).toMatchObject({
    scenarios: [
      {},
      {
        network: {
          background: [
            { kind: 'bulk-download', users: 2 },
            { kind: 'voice', users: 1 },
          ],
          path: { terrestrial: { preset: 'none', forward: { delayMs: 20 } } },
          tcpPep: { at: 'gateway', windowBytes: 600_000 },
        },
      },
    ],
  });
  await form.getByLabel('Receive window').last().fill('131072');
  await form
    .getByRole('img', {
      name: /terminal, node; then geo-256k.*; then gateway, splits TCP, terrestrial: no limit, 20 ms/,
    })
    .waitFor();
  // Every Scenario needs a network once one has it.
  await page.getByText('is missing, but other Scenarios have one').first().waitFor();
  await page.getByRole('tab', { name: 'direct' }).click();
  await form.getByLabel('Requests cross an emulated link').press('Space');
  await page.getByText('Valid', { exact: true }).waitFor();

  await form.getByText('Scripts before each Round').click();
  await form.getByRole('button', { name: 'Add a script' }).click();
  const script = form.getByRole('textbox', { name: 'Script 1, run by sh -e' });
  await script.fill('# as it was\necho "$HOST"');
  expect(parse(await yaml.inputValue())).toMatchObject({
    scenarios: [{ setUp: [{ host: 'laptop', script: '# as it was\necho "$HOST"' }] }, {}],
  });

  await form.getByText('Capture and artefacts', { exact: true }).click();
  const isolate = form.getByLabel('Isolate the other User Agents, and capture their packets too');
  await isolate.press('Space');
  expect(parse(await yaml.inputValue())).toMatchObject({ capture: { isolate: true } });
  await page.getByText('begins at the users, where').first().waitFor();
  await isolate.press('Space');

  const films = form.getByRole('combobox', { name: 'Films of the viewport' });
  expect(await films.inputValue()).toBe('none');
  const chooseFilms = async (option: string) => {
    await films.click();
    await page.getByRole('option', { name: option, exact: true }).click();
    return (parse(await yaml.inputValue()) as { artefacts?: { filmstrip?: unknown } }).artefacts?.filmstrip;
  };
  expect(await chooseFilms('of each Visit')).toBe(true);
  expect(await chooseFilms('of the warm-up Block')).toBe('warm-up');
  await form.getByText(/^Films of .+ in the warm-up Block.+ longer in all\. No figure includes them/).waitFor();
  expect(await chooseFilms('none')).toBeUndefined();

  await form.getByText('Other Runs', { exact: true }).click();
  const resources = form.getByRole('textbox', { name: 'Shared resources' });
  await resources.fill('origin-1');
  expect(parse(await yaml.inputValue())).toMatchObject({ resources: ['origin-1'] });

  await form.getByRole('button', { name: 'Add several' }).click();
  await page.getByLabel('Copies of the last User Agent').fill('3');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByRole('group', { name: 'bob 4' }).waitFor();
  const needs = form.getByRole('list', { name: 'What a Run needs' });
  await needs.getByText('laptop does not allow scripts').waitFor();
  await needs.getByText('testbed is not connected').waitFor();
  await page.getByRole('button', { name: '2 problems before the Run' }).click();
  expect(
    await page
      .getByRole('heading', { name: 'Before the Run' })
      .evaluate((element) => element === element.ownerDocument.activeElement),
  ).toBe(true);

  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const { document } = await evaluations.read(id);
  expect(document.userAgents.map(({ name }) => name)).toEqual(['alice', 'bob', 'bob 2', 'bob 3', 'bob 4']);
  expect(document.scenarios[0]!.setUp).toEqual([
    { host: 'laptop', script: '# as it was\necho "$HOST"', timeoutMs: 60_000 },
  ]);
  expect(expandDocument(document).scenarios[1]!.network!.link).toEqual({
    preset: 'geo-256k',
    forward: { lossRatio: 0.025, lossBurstPackets: 4 },
  });
});

test('a User Agent has a rhythm of its own: its Visits, think times and a later start; the page load is what its fields show', async () => {
  const { id } = await evaluations.store(
    `${evaluationYaml}pageLoad: { visitsPerUrl: 2, restMs: { exponential: 9000 } }\n`,
  );
  const page = await ui.open({ path: `/evaluations/${id}` });
  const bob = page.getByRole('group', { name: 'bob', exact: true });
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  const userInYaml = async () => {
    await page.getByText('Valid', { exact: true }).waitFor();
    return (parse(await yaml.inputValue()) as { userAgents: object[] }).userAgents[1];
  };
  const before = await userInYaml();
  await bob.getByRole('button', { name: 'Own rhythm' }).click();
  expect(await bob.getByLabel('Visits of each URL').getAttribute('placeholder')).toBe('2');
  expect(await bob.getByLabel('Mean think time').getAttribute('placeholder')).toBe('9000');

  await bob.getByLabel('Visits of each URL').fill('3');
  await bob.getByLabel('Mean think time').fill('2500');
  await bob.getByLabel('Starts later by').fill('1500');
  expect(await userInYaml()).toEqual({
    ...before,
    visitsPerUrl: 3,
    restMs: { exponential: 2500 },
    startOffsetMs: 1500,
  });
  // 3 URLs, twice by alice and three times by bob, in 4 Rounds and 2 of the warm-up.
  await page.getByText('90 Visits in 6 Rounds').waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await bob.getByRole('combobox', { name: 'Rest before a Visit' }).click();
  await page.getByRole('option', { name: 'fixed minimum' }).click();
  expect(await bob.getByLabel('Minimum rest').inputValue()).toBe('2500');
  await bob.getByLabel('Minimum rest').fill('-5');
  await bob.getByText('must be at least 0 ms').waitFor();
  await bob.getByLabel('Minimum rest').fill('100');
  expect(await userInYaml()).toMatchObject({ restMs: 100 });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect
    .poll(async () => (await evaluations.read(id)).document.userAgents[1])
    .toMatchObject({ restMs: 100, visitsPerUrl: 3, startOffsetMs: 1500 });

  for (const label of ['Visits of each URL', 'Starts later by']) await bob.getByLabel(label).fill('');
  await bob.getByRole('combobox', { name: 'Rest before a Visit' }).click();
  await page.getByRole('option', { name: 'random' }).click();
  await bob.getByLabel('Mean think time').fill('');
  expect(await userInYaml()).toEqual(before);

  // Two of the three URLs three times as often as the other, which both load twice.
  await page.getByLabel('Visits 1', { exact: true }).fill('3');
  await page.getByText('168 Visits in 6 Rounds').waitFor();
  await page.getByRole('combobox', { name: 'User Agents begin together' }).click();
  await page.getByRole('option', { name: 'every page of the Round' }).click();
  await bob.getByLabel('Starts later by').fill('10');
  await bob.getByText('cannot be used with "repetition.barrier: page"').waitFor();
  await bob.getByLabel('Starts later by').fill('');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect
    .poll(async () => (await evaluations.read(id)).document)
    .toMatchObject({ repetition: { barrier: 'page' }, urlLists: { pages: [{ visits: 3 }, {}] } });
});
