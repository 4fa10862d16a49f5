import { gunzipSync } from 'node:zlib';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { ReportDataSchema } from '#core/comparison/report-file.ts';
import { startTestController } from '#tests/support/controller.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

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
