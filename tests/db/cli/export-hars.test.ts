import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { startTestController } from '#tests/support/controller.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('HARs are exported of all Visits to a folder, of one to standard output; what has none is counted', async () => {
  await using it = await startTestController();
  await using folder = await makeTemporaryFolder();
  const { runId, visits } = await storeCompletedRun(it.controller.pool, { failingUrl: 'http://origin.test/plain' });
  const { token } = await issueToken(it.controller.pool, { name: 'command line', scope: 'api' });
  const access = { HTTP_AE_CONTROLLER: it.controller.url, HTTP_AE_TOKEN: token };
  const seen = visits.filter(({ outcome }) => outcome.snapshot);

  const all = await runCli(['export', runId, '--format', 'har', '--output', folder.path], access);
  expect(all.stderr).toBe(
    `${seen.length} HARs are in ${folder.path}; ${visits.length - seen.length} Visits failed without a Snapshot, and have none\n`,
  );
  const files = await readdir(folder.path);
  expect(files).toHaveLength(seen.length);
  expect(files.filter((name) => !/^block-\d+-(direct|proxy)-(alice|bob)-[\da-f-]{36}\.har$/.test(name))).toEqual([]);
  expect(findHarFaults(JSON.parse(await readFile(path.join(folder.path, files[0]!), 'utf8')))).toEqual([]);

  const one = await runCli(['export', runId, '--format', 'har', '--visit', seen[0]!.id], access);
  expect((JSON.parse(one.stdout) as { log: { pages: { title: string }[] } }).log.pages[0]!.title).toBe(seen[0]!.url);

  const refusals = [
    ['--format', 'har'],
    ['--format', 'csv', '--visit', seen[0]!.id],
    ['--format', 'har', '--visit', crypto.randomUUID()],
  ];
  const answers = await Promise.all(refusals.map((options) => runCli(['export', runId, ...options], access)));
  expect(answers.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('name a folder with --output FOLDER'),
    expect.stringContaining('--visit needs --format har'),
    expect.stringContaining(`Run ${runId} has no Visit`),
  ]);
});
