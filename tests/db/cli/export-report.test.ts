import { gunzipSync } from 'node:zlib';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { ReportDataSchema } from '#core/comparison/report-file.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { startTestController } from '#tests/support/controller.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { openExporter } from './support/export-run.ts';

test('a report is exported with its data and the parts that its Controller serves; without them the error says what to do', async () => {
  await using folder = await makeTemporaryFolder();
  await using it = await startTestController({ webUiFolder: folder.path });
  const { runId } = await storeCompletedRun(it.controller.pool);
  const { token } = await issueToken(it.controller.pool, { name: 'command line', scope: 'api' });
  const access = { HTTP_AE_CONTROLLER: it.controller.url, HTTP_AE_TOKEN: token };
  const output = path.join(folder.path, 'run.html');

  const unbuilt = await runCli(['export', runId, '--format', 'html', '--output', output], access);
  expect(unbuilt.exitCode).not.toBe(0);
  expect(unbuilt.stderr).toContain('which builds the web UI');

  await mkdir(path.join(folder.path, 'report'));
  await writeFile(path.join(folder.path, 'report', 'report.js'), 'show()');
  await writeFile(path.join(folder.path, 'report', 'report.css'), 'body { color: black }');
  expect(await runCli(['export', runId, '--format', 'html', '--output', output], access)).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  const html = await readFile(output, 'utf8');
  const packed = (id: string) => new RegExp(`id="${id}">([^<]*)<`).exec(html)![1]!;
  const unpacked = ['report-script', 'report-style'].map((id) =>
    gunzipSync(Buffer.from(packed(id), 'base64')).toString(),
  );
  expect(unpacked).toEqual(['show()', 'body { color: black }']);
  const [, json] = /id="report-data">(.*)<\/script>/.exec(html)!;
  expect(ReportDataSchema.parse(JSON.parse(json!)).comparison).toEqual(
    await (await it.program(`/api/runs/${runId}/comparison`)).json(),
  );

  const fromRequest = await runCli(['export', runId, '--format', 'html', '--from', 'first-request'], access);
  const [, counted] = /id="report-data">(.*)<\/script>/.exec(fromRequest.stdout)!;
  const { comparison, measurements } = ReportDataSchema.parse(JSON.parse(counted!));
  expect([comparison.countedFrom, measurements?.countedFrom]).toEqual(['first-request', 'first-request']);
});

test('a Capture that lacks a part of its Pass shares no bandwidth, from a bundle as by the Controller', async () => {
  await using exporter = await openExporter();
  const { it, folder, access } = exporter;
  const { runId, visits } = await storeCompletedRun(it.controller.pool, {
    evaluation: makeEvaluation({ repetition: { order: 'random-blocks', rounds: 3, warmUp: false, attempts: 2 } }),
  });
  const passIds = [...new Set(visits.map(({ passId }) => passId))];
  for (const [index, captureId] of passIds.entries())
    await storeCapture(it.controller.pool, { captureId, outcome: makeCaptured({ isLimited: index === 0 }) });
  // The browser says that it received more than the packets hold.
  await it.controller.pool.query(
    `update visit set readings = readings || '{"receivedBytes": 9000}' where pass_id = $1`,
    [passIds.at(-1)],
  );
  const served = await (await it.program(`/api/runs/${runId}/comparison`)).text();
  const { bandwidth } = ComparisonSchema.parse(JSON.parse(served));
  const scenarios = bandwidth.kind === 'measured' ? bandwidth.scenarios : [];
  expect(scenarios.reduce((sum, { roundsLeftOut }) => sum + roundsLeftOut, 0)).toBe(2);
  const file = path.join(folder.path, 'short.bundle.gz');
  expect(await runCli(['export', runId, '--format', 'bundle', '--output', file], access)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect((await runCli(['report', file, '--json'])).stdout).toBe(`${served}\n`);
});
