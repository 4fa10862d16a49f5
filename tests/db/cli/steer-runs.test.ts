import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { issueToken } from '#controller/people/tokens.ts';
import { followOwnRun } from '#cli/progress/follow-run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { startTestController } from '#tests/support/controller.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';
import { storeTwoRuns } from './support/two-runs.ts';

const it = holdForAll(() => startTestController());
let access: Record<string, string>;
let [first, second] = ['', ''];
beforeAll(async () => {
  ({ access, first, second } = await storeTwoRuns(it.controller));
});

test('runs delete names what is lost, and needs --yes where nobody can be asked', async () => {
  const { runId } = await storeCompletedRun(it.controller.pool);
  const unasked = await runCli(['runs', 'delete', runId], access);
  expect(unasked.stderr).toMatch(new RegExp(`^Run ${runId} has \\d+ Rounds, \\d+ Visits.*\n.*--yes`, 's'));
  expect(unasked.exitCode).toBe(2);
  expect(await runCli(['runs', 'delete', runId, '--yes'], access)).toMatchObject({
    exitCode: 0,
    stdout: `Deleted Run ${runId}\n`,
  });
  expect(await runCli(['runs', 'delete', runId, '--yes'], access)).toMatchObject({
    exitCode: 1,
    stderr: `There is no Run ${runId}\n`,
  });
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

test('a Run whose hosts end with its command is stopped with it, and one that has ended stays as it is', async () => {
  const { pool, url } = it.controller;
  const { token } = await issueToken(pool, { name: 'a demo', scope: 'api' });
  const { id: run } = RunSummarySchema.parse(
    await (await it.program(`/api/runs/${first}/again`, { method: 'POST' })).json(),
  );
  let said = '';
  const interrupts = new AbortController();
  const stream = { write: (text: string) => (said += text) };
  const follow = () => followOwnRun({ url, token }, run, { stream, signal: interrupts.signal });
  const following = follow();
  await expect.poll(() => said).not.toBe('');
  interrupts.abort(new Error('Stopped by SIGINT'));
  await expect(following).rejects.toThrow('Stopped by SIGINT');
  const { rows } = await pool.query<{ state: string }>('select state from run where id = $1', [run]);
  expect(rows).toEqual([{ state: 'stopped' }]);
  await expect(follow()).rejects.toThrow('Stopped by SIGINT');
  expect(said.match(/Stopping Run/g)).toHaveLength(1);
});
