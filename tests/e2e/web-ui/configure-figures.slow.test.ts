import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { postYaml } from '#tests/support/controller.ts';
import { findAccessibilityFaults } from '#tests/support/find-accessibility-faults.ts';
import { evaluationYaml } from '#tests/support/sample-evaluation.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();

test('figures of the report are made in the form, each mistake at its field, and stored as YAML has them', async () => {
  const { id } = StoredEvaluationSchema.parse(
    await (await ui.controller.program('/api/evaluations', postYaml(evaluationYaml))).json(),
  );
  const page = await ui.open({ path: `/evaluations/${id}` });
  const form = page.getByRole('group', { name: 'The Evaluation as a form' });
  const yaml = page.getByRole('textbox', { name: 'Evaluation as YAML' });
  const written = async () => (parse(await yaml.inputValue()) as { figures?: unknown[] }).figures;
  const choose = async (label: string, option: string) => {
    await form.getByRole('group', { name: 'Figure 1' }).getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };

  await form.getByText('Figures', { exact: true }).click();
  await form.getByRole('button', { name: 'Add a figure' }).click();
  await choose('As', 'bars');
  await choose('Metric', 'Received');
  await choose('Horizontal axis', 'page');
  await choose('Series for', 'scenario');
  await page.keyboard.press('Escape');
  await form.getByRole('group', { name: 'Figure 1' }).getByLabel('Title', { exact: true }).fill('Bytes of each page');
  const figure = { kind: 'bars', y: 'receivedBytes', x: 'page', series: ['scenario'], title: 'Bytes of each page' };
  await expect.poll(written).toEqual([figure]);

  const own = form.getByRole('group', { name: 'Bytes of each page' });
  const scale = async (kind: string) => {
    await own.getByRole('combobox', { name: 'Scale of the horizontal axis' }).click();
    await page.getByRole('option', { name: kind, exact: true }).click();
  };
  await scale('logarithmic');
  await own.getByText('cannot be true: "page" has no numbers').waitFor();
  await scale('linear');
  await own.getByText('cannot be true: "page" has no numbers').waitFor({ state: 'detached' });
  await expect.poll(written).toEqual([{ ...figure, logX: false }]);
  expect(await findAccessibilityFaults(page)).toEqual([]);

  await own.getByRole('button', { name: 'Remove Bytes of each page' }).click();
  await expect.poll(written).toBeUndefined();
});
