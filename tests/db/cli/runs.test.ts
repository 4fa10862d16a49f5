import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { startTestController } from '#tests/support/controller.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { holdForAll } from '#tests/support/hold.ts';
import { storeTwoRuns } from './support/two-runs.ts';

const it = holdForAll(() => startTestController());
let access: Record<string, string>;
let [first, second] = ['', ''];
beforeAll(async () => {
  ({ access, first, second } = await storeTwoRuns(it.controller));
});

test('runs lists the newest first, a line each, and --json what the API returns', async () => {
  const { exitCode, stdout, stderr } = await runCli(['runs'], access);
  const [head, ...lines] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^Evaluation +Run +State +Rounds +Visits +Failed +Started +Outcome$/);
  expect(lines.map((line) => /^(.*?) {2,}(\d+) +(\S+) +8\/8 /.exec(line)?.slice(1))).toEqual([
    ['A later name that is longer than a line…', second, 'completed'],
    ['Proxy or not', first, 'completed'],
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });

  const json = await runCli(['runs', '--json', '--limit', '1'], access);
  expect(z.array(RunSummarySchema).parse(JSON.parse(json.stdout))).toMatchObject([{ id: second, roundsCompleted: 8 }]);
});

test('compare prints the Scenarios of two Runs side by side, with the difference that is between them', async () => {
  const { exitCode, stdout, stderr } = await runCli(['compare', first, second, '--metric', 'totalMs'], access);
  expect(stdout).toContain('Total page load latency by Scenario');
  expect(stdout).toMatch(/^direct +1003 ± \d+ +1303 ± \d+ +\+300 \(\+\d+ to \+\d+\) +< 0\.001 +1\.00 /m);
  expect(stdout).toContain(
    `proxy: no change of the reduction is shown from Run ${first} to Run ${second} (95 % interval 0–0 %, p = 1).`,
  );
  expect(stdout).toContain('Rounds of different Runs are not paired');
  // As each declares.
  expect(stdout).toContain(`: with the 95 % (Run ${first}) and 90 % (Run ${second}) interval.`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });

  const json = await runCli(['compare', second, first, '--json'], access);
  expect(JSON.parse(json.stdout)).toMatchObject({
    metric: 'totalMs',
    countedFrom: 'navigation-start',
    differences: [],
    scenarios: [
      { scenario: 'direct', a: { rounds: 4, reduction: null }, change: { cliffsDelta: -1 }, reductionChange: null },
      { scenario: 'proxy', reductionChange: { ratio: 0, p: 1 } },
    ],
  });
  expect(await runCli(['compare', first, '99'], access)).toMatchObject({ exitCode: 1, stderr: 'There is no Run 99\n' });
});

test('open prints the link, and hands it to the desktop where there is one', async () => {
  const { url } = it.controller;
  const none = await runCli(['open', '--controller', url]);
  expect(none).toEqual({
    exitCode: 0,
    stdout: `${url}/\n`,
    stderr: 'No browser was opened (this terminal has no desktop): open the link yourself\n',
  });

  await using folder = await makeTemporaryFolder();
  const opened = path.join(folder.path, 'opened');
  const desktop = path.join(folder.path, process.platform === 'darwin' ? 'open' : 'xdg-open');
  await writeFile(desktop, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
  await chmod(desktop, 0o755);
  const environment = { PATH: `${folder.path}:${process.env.PATH ?? ''}`, DISPLAY: ':0' };
  const { stdout, stderr } = await runCli(['open', first, '--controller', url], { ...environment, ...access });
  expect({ stdout, stderr }).toEqual({ stdout: `${url}/runs/${first}/comparison\n`, stderr: '' });
  expect(await readFile(opened, 'utf8')).toBe(`${url}/runs/${first}/comparison`);

  const missing = await runCli(['open', '99999', '--controller', url], { ...environment, ...access });
  expect(missing).toEqual({ exitCode: 1, stdout: '', stderr: 'There is no Run 99999\n' });
  // Whether it is there is not known without a token.
  expect((await runCli(['open', '99999', '--print', '--controller', url])).stdout).toBe(
    `${url}/runs/99999/comparison\n`,
  );

  await runCli(['open', '--print', '--controller', url], environment);
  expect(await readFile(opened, 'utf8')).toBe(`${url}/runs/${first}/comparison`);
});

test('what is asserted of a Run is judged at its end, written for CI, and decides the exit status', async () => {
  await using folder = await makeTemporaryFolder();
  const [junit, markdown] = [path.join(folder.path, 'out.xml'), path.join(folder.path, 'summary.md')];
  const assertions = ['totalMs: reduction of proxy > 5%', 'totalMs: reduction > -5%', 'visits: failed < 10%'];
  const asked = assertions.flatMap((text) => ['--assert', text]);
  // Other commands of the same step have written to it.
  await writeFile(markdown, '# Before\n');
  const isIn = async (run: string, state: string) => {
    const { rows } = await it.database.pool.query('select from run where id = $1 and state = $2', [run, state]);
    return rows.length === 1;
  };
  const stop = (run: string) => it.program(`/api/runs/${run}/stop`, { method: 'POST' });
  // While another Run waits for the same host, added Rounds can be taken back: the Run is then completed as before.
  const blocking = z
    .object({ run: z.number() })
    .parse(JSON.parse((await runCli(['again', second, '--json'], access)).stdout));
  await expect.poll(() => isIn(String(blocking.run), 'running'), { timeout: 20_000 }).toBe(true);
  const waiting = runCli(
    ['add-rounds', first, '2', '--wait', '--json', ...asked, '--junit', junit, '--markdown', markdown],
    { ...access, GITHUB_STEP_SUMMARY: markdown },
  );
  await expect.poll(() => isIn(first, 'pending'), { timeout: 20_000 }).toBe(true);
  await stop(first);
  const { exitCode, stdout } = await waiting;
  expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({
    exitCode: 3,
    assertions: [{ verdict: 'failed' }, { verdict: 'passed' }, { verdict: 'undecided' }],
  });
  await stop(String(blocking.run));
  expect(await readFile(junit, 'utf8')).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(await readFile(markdown, 'utf8')).toMatch(/^# Before\n/);
  expect(await readFile(markdown, 'utf8')).toContain('**1 passed, 1 failed, 1 undecided** · [Run ');

  const unknown = await runCli(['again', first, '--wait', '--assert', 'totalMs: reduction of prxy > 5%'], access);
  expect(unknown.stderr).toContain(
    '  totalMs: reduction of prxy > 5%\n                        ^\nThe Evaluation has no',
  );
  expect(unknown.stderr).toContain('Nothing was ordered.');
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
});
