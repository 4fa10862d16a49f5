import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { useWebUi } from '#tests/support/web-ui.ts';

const ui = useWebUi();
let runId: string;
beforeAll(async () => {
  const { pool } = ui.controller.database;
  const capturePoints = [{ name: 'proxy', host: 'gateway', interface: 'eth1', filter: 'tcp port 3128' }];
  const captured = await storeCompletedRun(pool, { evaluation: makeEvaluation({ capturePoints }) });
  runId = captured.runId;
  for (const passId of passesOf(captured.visits))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured({ droppedByKernel: 3 }) });
  for (const { id } of (await pool.query<{ id: string }>('select id from capture_point')).rows)
    await storeCapture(pool, { captureId: id, outcome: makeCaptured({ isBrokenOff: true }) });
});

function passesOf(visits: Visit[]): Set<string> {
  return new Set(visits.map((visit) => visit.passId));
}

test('a Pass of a Run opens its packet statistics, with the throughput drawn and as a table, and says what the capture dropped', async () => {
  const page = await ui.open({ path: `/runs/${runId}` });
  await page.getByRole('button', { name: 'Packets of alice' }).click();
  await page.getByRole('img', { name: /^Chart of the throughput/ }).waitFor();
  await page
    .getByRole('alert')
    .getByText(/dropped 3\spackets of 4\spackets/)
    .waitFor();
  await page.getByText('No trace: The Evaluation keeps no traces').waitFor();
  await page.getByText('Throughput by the second').click();
  // 54 bytes of an acknowledged SYN and 1054 of data, received in the first second.
  await page.getByRole('table', { name: 'Throughput by the second' }).getByRole('row', { name: '0 8.9 0.9' }).waitFor();
});

test('a Round has its Capture Points, with their host, interface and filter, and opens the packets of each', async () => {
  const page = await ui.open({ path: `/runs/${runId}` });
  await page
    .getByRole('table', { name: 'Capture Points' })
    .getByRole('row', { name: 'proxy gateway eth1 tcp port 3128' })
    .waitFor();
  await page.getByRole('button', { name: 'Packets at proxy' }).click();
  await page.getByRole('img', { name: /^Chart of the throughput/ }).waitFor();
  await page.getByText('The Round was aborted. These are the packets up to then.').waitFor();
});

test('a Pass that was not captured says why', async () => {
  const { runId: uncaptured } = await storeCompletedRun(ui.controller.database.pool, { evaluation: makeEvaluation() });
  const page = await ui.open({ path: `/runs/${uncaptured}` });
  await page
    .getByRole('row', { name: /^bob/ })
    .getByLabel(/^absent: No packets: This User Agent has no address of its own/)
    .waitFor();
  expect(await page.getByRole('button', { name: /^Packets/ }).count()).toBe(0);
  await page.goto(page.url() + '/comparison');
  // The report has no empty section of the wire: its method says why, and what to do.
  await page.getByText('How it was measured').click();
  await page
    .getByRole('table', { name: 'Method' })
    .getByRole('row', { name: /^Packets not captured, so there are no figures of the wire\. .*Give each an "osUser"/ })
    .waitFor();
  expect(await page.getByRole('heading', { name: 'Bandwidth share and fairness' }).count()).toBe(0);
});

test('the Comparison has each User Agent’s share of the bandwidth, and the fairness', async () => {
  const page = await ui.open({ path: `/runs/${runId}/comparison` });
  await page.getByText('Shares and fairness by Scenario').click();
  const row = page
    .getByRole('table', { name: 'Bandwidth share and fairness by Scenario' })
    .getByRole('row', { name: /proxy/ });
  expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
    /50\.0 ± 0\.0 % 50\.0 ± 0\.0 % 1\.000 ± 0\.000 1\.000 ± 0\.000 2 packets dropped in 2/,
  );
});

test('the Comparison has what crossed each Capture Point, with the change against the baseline and why a figure is absent', async () => {
  const { pool } = ui.controller.database;
  const names = ['ground end', 'proxy'];
  const { runId: compared } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({
      capturePoints: names.map((name) => ({ name, host: 'gateway', interface: 'eth1', filter: '' })),
      repetition: { order: 'random-blocks', rounds: 5, warmUp: true, attempts: 2 },
    }),
  });
  const { rows } = await pool.query<{ id: string; name: string; scenario: string; block: number }>(
    'select capture_point.id, name, scenario, block from capture_point join round on round.id = round_id where run_id = $1',
    [compared],
  );
  const { statistics } = makeCaptured();
  const tcp = { ...statistics.tcp!, connections: 12, retransmissions: 0, httpRequests: 93 };
  for (const { id, name, scenario, block } of rows) {
    const packets = scenario === 'proxy' ? 610 + 8 * block : 1200 + 10 * block;
    const seen = {
      ...statistics,
      packets,
      dataBytes: 900 * packets,
      tcp: scenario === 'proxy' ? { ...tcp, retransmissions: 3, httpRequests: 0 } : tcp,
    };
    const outcome =
      name === 'proxy' && scenario === 'direct'
        ? ({ kind: 'absent', reason: 'eth1 is not there' } as const)
        : makeCaptured({ statistics: seen });
    await storeCapture(pool, { captureId: id, outcome });
  }
  const page = await ui.open({ path: `/runs/${compared}/comparison` });
  const ground = page.getByRole('table', { name: 'Capture Point ground end by Scenario' });
  const row = ground.getByRole('row', { name: /^proxy/ });
  await row.waitFor();
  expect((await row.innerText()).replace(/\s+/g, ' ')).toMatch(
    /634 ± 16 48 % less \(48 to 49 %\) 571 ± 14 kB 48 % less \(48 to 49 %\) 12\.0 ± 0\.0 0 % \(0 to 0 %\) 3\.0 ± 0\.0 3\.0 more \(3\.0 to 3\.0\) 0\.0 ± 0\.0 100 % less \(100 to 100 %\) 5$/,
  );
  // Its figure is of bars, which have no shapes.
  const marks = page.getByRole('figure', { name: / at each Capture Point/ }).locator('svg path');
  expect(await marks.evaluateAll((paths) => paths.map((each) => each.getAttribute('d')))).toEqual(
    Array(2).fill('M2 2h8v8H2z'),
  );
  const atProxy = page.getByRole('table', { name: 'Capture Point proxy by Scenario' });
  await atProxy
    .getByRole('row', { name: /^direct/ })
    .getByLabel('absent: eth1 is not there')
    .first()
    .waitFor();
  await atProxy.getByText('without 5 Rounds').waitFor();

  const section = page.getByRole('region', { name: 'Capture Points' });
  await section.getByRole('img', { name: /^Chart of Bytes at each Capture Point, per Round/ }).waitFor();
  await section.getByText('HTTP requests', { exact: true }).first().click();
  const figure = section.getByRole('figure', { name: 'HTTP requests at each Capture Point, per Round' });
  await figure.getByRole('button', { name: 'Save' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('http-requests-at-each-capture-point-per-round.csv');
  expect((await readFile(await download.path(), 'utf8')).split('\r\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^ground end,direct,93,0,,,,5$/),
    expect.stringMatching(/^ground end,proxy,0,0,0,0,0,5$/),
  ]);
});
