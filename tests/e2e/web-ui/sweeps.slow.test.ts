import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import { useWebUi } from '#tests/support/web-ui.ts';
import { StoredEvaluations } from './support/stored-evaluations.ts';

const ui = useWebUi({ hosts: ['laptop'] });
const evaluations = new StoredEvaluations(ui);

const openEditor = async (yaml: string) => {
  const { id } = await evaluations.store(yaml);
  const page = await ui.open({ path: `/evaluations/${id}` });
  return { id, page, form: page.getByRole('group', { name: 'The Evaluation as a form' }) };
};

test('a sweep is made in the form: it shows its Scenarios, Rounds and time, and each mistake at its field', async () => {
  const { id, page, form } = await openEditor(evaluationYaml);
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  const scenarios = async () => (parse(await yaml.inputValue()) as { scenarios: unknown[] }).scenarios;
  // Two plain Scenarios see one line more, and nothing that they need to fill in.
  expect(await form.getByLabel('Group').count()).toBe(0);
  await page.getByRole('tab', { name: 'proxy' }).click();
  await form.getByText('Sweep, group, variables and users').click();
  await form.getByLabel('Sweep: repeat this Scenario').press('Space');
  const outcome = form.getByRole('group', { name: 'Scenarios of the sweep' });
  await outcome.getByText('2 Scenarios: proxy at 1, proxy at 2.').waitFor();
  await outcome.getByText('No setting uses {value}').waitFor();
  await outcome.getByText(/^In all 3\sScenarios, 9\sRounds, 54\sVisits\.$/).waitFor();

  const name = form.getByLabel('Variable 1', { exact: true });
  await name.fill('port');
  await name.press('Enter');
  await form.getByLabel('Values of port').fill('3128, 3129, "8080"');
  await form.getByLabel('Proxy', { exact: true }).fill('http://proxy.test:{port}');
  await outcome.getByText('3 Scenarios: proxy at 3128, proxy at 3129, proxy at 8080.').waitFor();
  await outcome.getByText(/^In all 4\sScenarios, 12\sRounds, 72\sVisits\.$/).waitFor();
  await outcome.getByText(/^More than /).waitFor();
  expect(await outcome.getByText('No setting uses').count()).toBe(0);
  await page.getByRole('tab', { name: /proxy at \{port\}.*× 3/s }).waitFor();
  expect(await scenarios()).toMatchObject([
    { name: 'direct', baseline: true },
    {
      name: 'proxy at {port}',
      browser: { proxy: 'http://proxy.test:{port}' },
      sweep: { port: [3128, 3129, '8080'] },
    },
  ]);

  await form.getByLabel('Leave out').fill('port=3129');
  await outcome.getByText('2 Scenarios: proxy at 3128, proxy at 8080.').waitFor();
  await form.getByLabel('Leave out').fill('port=80');
  await form.getByText('80 is no value of "port" in the sweep: write one of 3128, 3129, "8080"').waitFor();
  await form.getByLabel('Leave out').fill('');
  await form.getByLabel('Group').fill('{speed}');
  await form.getByText('the sweep has no {speed}: write one of {port}').waitFor();
  expect(await form.getByLabel('Group').getAttribute('aria-invalid')).toBe('true');
  await form.getByLabel('Group').fill('');
  await form.getByLabel('Values of port').fill('');
  await form.getByText('must have at least one value').waitFor();

  const hundred = Array.from({ length: 100 }, (_, index) => index + 1).join(', ');
  await form.getByLabel('Values of port').fill(hundred);
  await form.getByRole('button', { name: 'Add a variable' }).click();
  await form.getByLabel('Values of value').fill(hundred);
  await form
    .getByRole('alert')
    .getByText('would be 10000 Scenarios, 10001 together with the others, but an Evaluation has at most 200')
    .waitFor();
  await form.getByRole('button', { name: 'Remove the variable value' }).click();
  await form.getByLabel('Values of port').fill('3128, 3129');
  await page.getByText('Valid', { exact: true }).waitFor();
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  expect((await evaluations.read(id)).document.scenarios[1]).toMatchObject({ sweep: { port: [3128, 3129] } });

  await form.getByLabel('Sweep: repeat this Scenario').press('Space');
  expect((await scenarios())[1]).not.toHaveProperty('sweep');
  expect((await scenarios())[1]).toMatchObject({
    name: 'proxy at 3128',
    browser: { proxy: 'http://proxy.test:3128' },
  });
});

test('groups need a baseline each, and say so at the field; a Scenario has variables for URLs', async () => {
  const { page, form } = await openEditor(evaluationYaml);
  await form.getByText('Sweep, group, variables and users').click();
  await form.getByLabel('Group').fill('slow');
  await page.getByRole('tab', { name: 'proxy' }).click();
  await form.getByText('must name a group, as other Scenarios have one').waitFor();
  await form.getByLabel('Group').fill('fast');
  await form.getByText('exactly one Scenario of the group "fast" must be the baseline, and none is').waitFor();
  await form.getByRole('button', { name: 'Make it the baseline' }).click();
  await page.getByText('Valid', { exact: true }).waitFor();
  await form.getByLabel('Group').fill('slow');
  await form
    .getByRole('alert')
    .getByText('exactly one Scenario of the group "slow" must be the baseline, and "direct" and "proxy" are')
    .waitFor();
  await page.getByRole('tab', { name: 'direct' }).click();
  // In that group, no other stays the baseline.
  await page.getByRole('tab', { name: 'proxy' }).click();
  await form.getByLabel('Group').fill('fast');

  await form.getByLabel('URL 2', { exact: true }).fill('{origin}/plain');
  await page.getByText('no Scenario defines the variable {origin}').first().waitFor();
  expect(await form.getByLabel('URL 2', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  const variables = form.getByRole('textbox', { name: 'Variables', exact: true });
  await variables.fill('origin=https://origin.test:8443\nrateKbps=256');
  await page.getByText('the Scenario "direct" does not define the variable {origin}').first().waitFor();
  await page.getByRole('tab', { name: 'direct' }).click();
  await variables.fill('origin=http://origin.test:8080');
  await page.getByText('Valid', { exact: true }).waitFor();
  const yaml = await page.getByRole('textbox', { name: 'Evaluation as YAML' }).inputValue();
  expect(parse(yaml)).toMatchObject({
    scenarios: [
      { group: 'slow', baseline: true, variables: { origin: 'http://origin.test:8080' } },
      { group: 'fast', baseline: true, variables: { origin: 'https://origin.test:8443', rateKbps: 256 } },
    ],
  });
});

const sweptYaml = `name: Swept
urlLists:
  pages: ["{origin}/images/{5,10}"]
userAgents:
  - { name: alice, host: laptop, engine: http, urlList: pages }
scenarios:
  # Two modes at each rate.
  - name: "{mode} at {rateKbps} kb/s"
    group: "{rateKbps} kb/s"
    sweep:
      rateKbps: [256, 500, 1000]
      mode: [cubic, reno, "1000"]
    baseline: { mode: cubic }
    except:
      - { rateKbps: [500, 1000], mode: reno }
    variables: { origin: "http://{mode}.test" }
    network:
      link:
        forward: { rateKbps: "{rateKbps}", delayMs: 300 }
        return: { rateKbps: 64, delayMs: 300 }
      tcp: { ground: { initialWindowSegments: 10 } }
    setUp:
      - { host: laptop, script: "echo \${mode} {mode}" }
`;

test('a document with a sweep means the same after it was shown, changed, stored and downloaded', async () => {
  const { page, form } = await openEditor(sweptYaml);
  const outcome = form.getByRole('group', { name: 'Scenarios of the sweep' });
  await outcome.getByText(/^7\sScenarios: cubic at 256\skb\/s \(baseline\), cubic at 500/).waitFor();
  await outcome.getByText('and 1 more.').waitFor();
  expect(await form.getByLabel('Values of mode').inputValue()).toBe('cubic, reno, "1000"');
  expect(await form.getByLabel('Leave out').inputValue()).toMatch(
    /^(rateKbps=500\|1000, mode=reno|mode=reno, rateKbps=500\|1000)$/,
  );
  expect(await form.getByLabel('Values of the baseline').inputValue()).toBe('mode=cubic');
  await form.getByRole('img', { name: /→ 64 kb\/s.*← 256 kb\/s.*cubic\.test/ }).waitFor();

  await form.getByLabel('Rounds of each Scenario').fill('4');
  await form.getByLabel('Values of rateKbps').fill('256, 500, 1000, 2000');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download YAML' }).click();
  const chunks = await (await (await download).createReadStream()).toArray();
  const meant = sweptYaml.replace('1000]\n', '1000, 2000]\n') + 'repetition: { rounds: 4 }\n';
  expect(EvaluationSchema.parse(parse(Buffer.concat(chunks as Buffer[]).toString()))).toEqual(
    EvaluationSchema.parse(parse(meant)),
  );
});

const yesNoYaml = `name: Yes or no
urlLists:
  pages: ["http://origin.test/"]
userAgents:
  - { name: alice, host: laptop, engine: http, urlList: pages }
scenarios:
  - name: "HTTPEP, ahead {isAhead}"
    sweep: { isAhead: [false, true] }
    baseline: { isAhead: false }
    network: { link: geo-256k }
    httpep: { bundling: "{isAhead}" }
`;

test('a yes or no can be swept in the form, and be set to a value again', async () => {
  const { page, form } = await openEditor(yesNoYaml);
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  const scenario = async () => (parse(await yaml.inputValue()) as { scenarios: unknown[] }).scenarios[0];
  const choose = async (label: string, option: string) => {
    await form.getByRole('combobox', { name: label }).first().click();
    await page.getByRole('option', { name: option }).click();
  };
  const outcome = form.getByRole('group', { name: 'Scenarios of the sweep' });
  await outcome.getByText(/^2\sScenarios: HTTPEP, ahead false \(baseline\), HTTPEP, ahead true\.$/).waitFor();
  const ahead = form.getByRole('combobox', { name: 'Fetch ahead what pages need' });
  expect(await ahead.inputValue()).toBe('{isAhead}');
  await choose('Fetch ahead what pages need', 'off');
  expect(await scenario()).toMatchObject({ httpep: { bundling: false } });
  await outcome.getByText('No setting uses {isAhead}').waitFor();
  await choose('Fetch ahead what pages need', 'on');
  expect(await scenario()).not.toHaveProperty('httpep.bundling');
  await choose('Fast Open', '{isAhead}');
  expect(await scenario()).toMatchObject({ network: { tcp: { ground: { fastOpen: '{isAhead}' } } } });
  await choose('Fetch ahead what pages need', '{isAhead}');
  await page.getByText('Valid', { exact: true }).waitFor();

  // Without a sweep, it is a switch.
  await form.getByLabel('Sweep: repeat this Scenario').press('Space');
  expect(await form.getByRole('switch', { name: 'Fetch ahead what pages need' }).isChecked()).toBe(false);
});
