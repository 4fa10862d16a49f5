import pino from 'pino';
import { expect, test } from 'vitest';
import { startController } from '#controller/start-controller.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { startWebUi } from '#tests/support/web-ui.ts';
import { holdForAll } from '#tests/support/hold.ts';

const ui = holdForAll(startWebUi);

test('a Run says which Agents it waits for, can be paused, survives a restart of the controller under its page, continues and can be stopped', async () => {
  await createEvaluation(ui.controller.database.pool, makeEvaluation({ name: 'The first one' }));
  const page = await ui.open({ path: '/' });
  await page.getByRole('button', { name: 'Run The first one' }).click();
  await page.getByText('Waiting for an Agent: laptop').waitFor();
  await page.getByText('waiting for a host', { exact: true }).waitFor();

  const { id: nextId } = await createEvaluation(ui.controller.database.pool, makeEvaluation({ name: 'The next one' }));
  const next = await ui.open({ path: `/evaluations/${nextId}` });
  await next.getByText('laptop is not connected').waitFor();
  await next.getByRole('button', { name: 'Run The next one' }).click();
  await next.getByRole('dialog').getByRole('button', { name: 'Run anyway' }).click();
  await next.getByText(/^Run \d+ \(The first one\): host laptop$/).waitFor();
  expect(await next.getByRole('link', { name: /^Run \d+$/ }).getAttribute('href')).toBe(new URL(page.url()).pathname);
  await next.getByRole('button', { name: 'Stop' }).click();
  await next.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await next.getByText('stopped', { exact: true }).waitFor();
  await next.close();

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('No Round starts until you resume the Run.').waitFor();
  await page.reload();
  await page.getByText('paused', { exact: true }).waitFor();
  const first = await ui.open({ path: '/' });
  await first.getByRole('link', { name: /^Run \d+, paused$/ }).waitFor();
  await first.close();

  const { controller, database, artefactsFolder } = ui.controller;
  await controller.close();
  await page.getByText('Controller not reachable, trying again').waitFor();
  const restart = {
    databaseUrl: database.databaseUrl,
    host: '127.0.0.1',
    port: Number(new URL(controller.url).port),
    webUiFolder: null,
    artefactsFolder,
  };
  await using restarted = await startController({
    ...restart,
    log: pino({ level: 'silent' }),
    signal: AbortSignal.timeout(30_000),
  });
  expect(restarted.url).toBe(controller.url);
  await page.getByText('Controller not reachable, trying again').waitFor({ state: 'detached' });

  // The pause is in the database, so that a new Controller keeps it.
  await page.getByText('paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();

  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped', { exact: true }).waitFor();
  expect(ui.complaints).toEqual([]);
});
