import { afterAll, beforeAll, expect, test } from 'vitest';
import { EvaluationSummarySchema } from '#core/protocol/api/evaluation-summary.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { joinAgent } from '#tests/browser/support/join-real-agent.ts';
import { postYaml } from '#tests/support/controller.ts';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import { startWebUi, type WebUi } from '#tests/support/web-ui.ts';

let ui: WebUi;
let origin: Origin;
let agent: AsyncDisposable;
beforeAll(async () => {
  origin = await startOrigin();
  ui = await startWebUi();
  agent = await joinAgent(ui.controller.controller);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await ui[Symbol.asyncDispose]();
  await origin.close();
});

test('a URL is loaded once by a real Agent, and its latencies or its failure are reported; no Evaluation is left in the list', async () => {
  const yaml = evaluationYaml
    .replace('http://origin.test/images/{1..2}', `${origin.httpUrl}/images/{1..2}`)
    .replace('http://origin.test/plain', `http://127.0.0.1:9/\n    - ${origin.http2Url}/images/1`);
  const { id } = (await (await ui.controller.program('/api/evaluations', postYaml(yaml))).json()) as { id: string };
  const page = await ui.open({ path: `/evaluations/${id}` });
  page.setDefaultTimeout(90_000);
  await page.getByRole('button', { name: 'Try one' }).click();
  await page.getByRole('button', { name: 'Load it once' }).click();
  const outcome = page.getByRole('dialog').getByRole('status');
  await outcome.getByText(/^Total/).waitFor();
  expect(await outcome.innerText()).toMatch(/Base page\s+[\d.,\u202f\u00a0 ]+\s?ms/);

  await page.getByRole('combobox', { name: 'URL to try' }).click();
  await page.getByRole('option', { name: 'http://127.0.0.1:9/' }).click();
  await page.getByRole('button', { name: 'Load it once' }).click();
  await outcome.getByText(/^Failed: [a-z-]+, \S/).waitFor();

  // A certificate of one's own is refused, shown, and trusted by a click.
  await page.getByRole('combobox', { name: 'URL to try' }).click();
  await page.getByRole('option', { name: `${origin.http2Url}/images/1` }).click();
  await page.getByRole('button', { name: 'Load it once' }).click();
  await outcome.getByText(/^Failed: tls-failure/).waitFor();
  await page.getByText(`Public key: ${origin.trustedKey}`).waitFor();
  await page.getByRole('button', { name: 'Trust this certificate in all Scenarios' }).click();
  await page.getByText('All Scenarios trust it.').waitFor();
  await page.getByRole('button', { name: 'Load it once' }).click();
  await outcome.getByText(/^Total/).waitFor();
  const names = EvaluationSummarySchema.array()
    .parse(await (await ui.controller.program('/api/evaluations')).json())
    .map(({ name }) => name);
  expect(names).toEqual(['Proxy or not']);

  // Kept with the Pass, as the Agent reported it.
  const [{ id: runId } = { id: '' }] = RunSummarySchema.array().parse(
    await (await ui.controller.program('/api/runs?tries=with')).json(),
  );
  const { engineVersions } = RunMethodSchema.parse(
    await (await ui.controller.program(`/api/runs/${runId}/method`)).json(),
  );
  expect(engineVersions).toEqual([
    { host: expect.any(String) as string, version: expect.stringMatching(/Chrome\/\d+\./) as string },
  ]);

  // All of them at once, as a Run would find them.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Load each address once' }).click();
  await page
    .getByText(/^3 of 4 addresses loaded, HTTP\/1\.1 offered by 2 of them, HTTP\/2 offered by 1 of them\.$/)
    .waitFor();
  await page.getByText(/^http:\/\/127\.0\.0\.1:9\/: [a-z-]+/).waitFor();

  await page.goto(`${ui.controller.controller.url}/runs`);
  await page.getByText('No Runs yet').waitFor();
  await page.getByLabel('Show tries').click();
  await page
    .getByRole('row', { name: /Try of 127\.0\.0\.1/ })
    .nth(3)
    .waitFor();
  await page.reload();
  expect(await page.getByLabel('Show tries').isChecked()).toBe(true);
  await page
    .getByRole('row', { name: /Try of 127\.0\.0\.1/ })
    .nth(1)
    .waitFor();
  expect(ui.complaints).toEqual([]);
});
