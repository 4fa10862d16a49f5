import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { issueToken } from '#controller/people/issue-token.ts';
import { startTestController, type TestController } from '#tests/support/controller.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

let it: TestController;
let access: Record<string, string>;
let first: string;
let second: string;
beforeAll(async () => {
  it = await startTestController();
  const { pool, url } = it.controller;
  const { token } = await issueToken(pool, { name: 'command line', scope: 'api' });
  access = { HTTP_AE_CONTROLLER: url, HTTP_AE_TOKEN: token };
  const repetition = { order: 'random-blocks' as const, rounds: 4, warmUp: false, attempts: 1 };
  const evaluation = makeEvaluation({ repetition });
  first = (await storeCompletedRun(pool, { evaluation, totalMsOf: ({ block }) => 1000 + block })).runId;
  const later = { ...evaluation, name: 'A later name that is longer than a line of the list has room for' };
  second = (await storeCompletedRun(pool, { evaluation: later, totalMsOf: ({ block }) => 1300 + block })).runId;
});
afterAll(() => it[Symbol.asyncDispose]());

test('what is asserted of a Run is judged at its end, written for CI, and decides the exit status', async () => {
  await using folder = await makeTemporaryFolder();
  const [junit, markdown] = [path.join(folder.path, 'out.xml'), path.join(folder.path, 'summary.md')];
  const assertions = ['totalMs: reduction of proxy > 5%', 'totalMs: reduction > -5%', 'visits: failed < 10%'];
  const asked = assertions.flatMap((text) => ['--assert', text]);
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
    access,
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
  expect(await readFile(markdown, 'utf8')).toContain('**1 passed, 1 failed, 1 undecided** · [Run ');

  const unknown = await runCli(['again', first, '--wait', '--assert', 'totalMs: reduction of prxy > 5%'], access);
  expect(unknown.stderr).toContain(
    '  totalMs: reduction of prxy > 5%\n                        ^\nThe Evaluation has no',
  );
  expect(unknown.stderr).toContain('Nothing was ordered.');
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
});

test('add-rounds adds as many as are proposed, or as are named; again starts another Run', async () => {
  const stop = (run: string) => it.program(`/api/runs/${run}/stop`, { method: 'POST' });
  const added = await runCli(['add-rounds', first, '2', '--json'], access);
  expect(added.stderr).toBe(`Added 2 Rounds of each Scenario to Run ${first} of "Proxy or not"\n`);
  expect(JSON.parse(added.stdout)).toMatchObject({ run: Number(first) });
  await stop(first);

  const proposed = await runCli(['add-rounds', second], access);
  expect(proposed.stderr).toMatch(/^Added \d+ Rounds? of each Scenario to Run \d+ of "A later name/);
  expect(await runCli(['add-rounds', second], access)).toMatchObject({ exitCode: 2, stdout: '' });
  await stop(second);

  const again = await runCli(['again', first, '--json', '--label', 'build=9', '--label', 'branch=main'], access);
  const { run } = z.object({ run: z.number() }).parse(JSON.parse(again.stdout));
  expect(run).toBeGreaterThan(Number(second));
  const { rows } = await it.database.pool.query('select labels from run where id = $1', [run]);
  expect(rows).toEqual([{ labels: { build: '9', branch: 'main' } }]);
  expect(again.stderr).toBe(`Run ${run} of "Proxy or not" is queued\n`);
  await stop(String(run));
});
