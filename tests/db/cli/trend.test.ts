import { beforeAll, expect, test } from 'vitest';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { startTestController } from '#tests/support/controller.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

let access: Record<string, string>;
let evaluationId: string;
let other: string;
const runs: string[] = [];
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  const { pool, url } = it.controller;
  const { token } = await issueToken(pool, { name: 'command line', scope: 'api' });
  access = { HTTP_AE_CONTROLLER: url, HTTP_AE_TOKEN: token };
  const repetition = { order: 'random-blocks' as const, rounds: 3, warmUp: false, attempts: 1 };
  const evaluation = makeEvaluation({ name: 'Nightly', repetition });
  for (const index of [0, 1]) {
    const stored = await storeCompletedRun(pool, {
      evaluation,
      totalMsOf: ({ scenario, block }) => (scenario === 'proxy' ? 700 : 1000) + 10 * block * (index + 1),
    });
    if (index === 0) ({ evaluationId } = stored);
    else other = stored.evaluationId;
    runs.push(stored.runId);
    await pool.query(
      `update run set evaluation_id = $2, labels = $3, started_at = now() - make_interval(days => $4) where id = $1`,
      [stored.runId, evaluationId, JSON.stringify({ build: String(9 + index) }), 2 - index],
    );
    await it.program(`/api/runs/${stored.runId}/comparison`);
  }
});

test('trend prints a line for each Run, with its labels and its reduction, and what it takes to show a change', async () => {
  const { exitCode, stdout, stderr } = await runCli(['trend', evaluationId], access);
  const [title, head, ...lines] = stdout.trimEnd().split('\n');
  expect(title).toBe('Total page load latency of "Nightly"');
  expect(head).toMatch(/^Run +Started +Labels +Settings +Reduction: proxy$/);
  for (const [index, run] of runs.entries())
    expect(lines[index]).toMatch(
      new RegExp(`^${run} +\\S+ \\S+Z +build=${9 + index} +A +[\\d.]+ % (?:less|more) \\(.+ to .+ %\\)$`),
    );
  expect(stdout).toContain('A change can be shown from 8 Runs of the same settings on. There are 2 with an interval.');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('trend --json has the Runs with the error of each log ratio', async () => {
  const { stdout } = await runCli(['trend', evaluationId, '--json'], access);
  expect(JSON.parse(stdout)).toMatchObject({
    evaluation: { id: evaluationId, name: 'Nightly' },
    metric: 'totalMs',
    runs: runs.map((id) => ({
      id,
      trend: { scenarios: [{}, { reduction: { standardError: expect.any(Number) as number } }] },
    })),
    changes: [],
  });
});

test('an Evaluation is found by its name, if no other has it', async () => {
  const ambiguous = await runCli(['trend', 'Nightly'], access);
  expect(ambiguous.stderr).toMatch(/^2 Evaluations are named "Nightly": give the id of one \(\d+, \d+\)\n$/);
  expect(ambiguous).toMatchObject({ exitCode: 2, stdout: '' });
  await it.program(`/api/evaluations/${other}`, { method: 'DELETE' });
  expect((await runCli(['trend', 'Nightly'], access)).stdout).toContain('latency of "Nightly"');
  expect(await runCli(['trend', 'Weekly'], access)).toMatchObject({
    exitCode: 1,
    stderr: 'No Evaluation is named "Weekly"\n',
  });
  expect(await runCli(['trend', '999999'], access)).toMatchObject({ exitCode: 1, stdout: '' });
  // A name may look like an id.
  await createEvaluation(it.controller.pool, makeEvaluation({ name: '999999' }));
  expect((await runCli(['trend', '999999'], access)).stdout).toBe('No completed Run of "999999" yet\n');
});
