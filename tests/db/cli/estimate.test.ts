import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { EstimateAnswerSchema } from '#core/protocol/api/estimate-answer.ts';
import { postJson, startTestController, type TestController } from '#tests/support/controller.ts';
import { evaluationYaml, makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const adaptiveYaml = evaluationYaml.replace('  rounds: 2', '  adaptive: { target: { halfWidthRatio: 0.05 } }');

/** Stores a Run of 4 Blocks, 10 s each, in which the latencies of one URL swing by 60 ms around 1000 ms. */
async function storePilot({ controller }: TestController): Promise<{ runId: string; evaluationId: string }> {
  const pilot = await storeCompletedRun(controller.pool, {
    evaluation: makeEvaluation({ repetition: { order: 'random-blocks', rounds: 4, warmUp: false, attempts: 1 } }),
    totalMsOf: ({ block, url }) => 1000 + (url.endsWith('plain') ? (block % 2 === 0 ? 60 : -60) : block),
  });
  await controller.pool.query(
    `update round set created_at = now(), ended_at = now() + interval '5 seconds' where run_id = $1`,
    [pilot.runId],
  );
  return pilot;
}

test('a Run whose pages did not load says nothing of the time that one takes', async () => {
  await using test = await startTestController();
  const evaluation = makeEvaluation({ repetition: { order: 'random-blocks', rounds: 4, warmUp: true, attempts: 1 } });
  const { runId, evaluationId } = await storeCompletedRun(test.controller.pool, { evaluation, totalMsOf: () => null });
  const estimate = async () =>
    EstimateAnswerSchema.parse(
      await (await test.program(`/api/evaluations/${evaluationId}/estimate`, { method: 'POST' })).json(),
    );
  // 5 Blocks of 2 Scenarios, in each 3 URLs with 400 ms of rest and 500 ms of quiet.
  expect(await estimate()).toMatchObject({ kind: 'needs-pilot', leastDurationMs: 27_000 });

  // Under "proxy" all Visits still fail, at once; under "direct" one in three.
  await test.controller.pool.query(
    `update visit set status = 'ok', code = null from pass, round where pass_id = pass.id and round_id = round.id and run_id = $1 and scenario = 'direct' and sequence > 0`,
    [runId],
  );
  await test.controller.pool.query(
    `update round set created_at = now(), ended_at = now() + case scenario when 'direct' then interval '20 seconds' else interval '1 second' end where run_id = $1`,
    [runId],
  );
  expect(await estimate()).toMatchObject({
    kind: 'estimated',
    durationMs: 5 * 2 * 20_000,
    basis: { runId, blocks: 4 },
  });
});

test('a Run of another name is estimated by one of the same settings, and a change by the Run that it is a change of', async () => {
  await using test = await startTestController();
  const { runId } = await storePilot(test);
  const pilot = makeEvaluation({ repetition: { order: 'random-blocks', rounds: 4, warmUp: false, attempts: 1 } });
  const estimate = async (change: object, query = '') =>
    EstimateAnswerSchema.parse(
      await (await test.program(`/api/evaluations/estimate${query}`, postJson({ ...pilot, ...change }))).json(),
    );
  const basis = { runId, blocks: 4, blockMs: 10_000 };
  expect(await estimate({ name: 'A copy (2)', description: 'of it' })).toMatchObject({
    kind: 'estimated',
    durationMs: 40_000,
    basis,
  });
  // A threshold changes no measurement.
  expect(await estimate({ name: 'A copy (2)', trend: { threshold: 0.1 } })).toMatchObject({ kind: 'estimated', basis });
  const changed = { name: 'A copy (2)', pageLoad: { ...pilot.pageLoad, restMs: 800 } };
  expect(await estimate(changed)).toMatchObject({ kind: 'needs-pilot' });
  expect(await estimate(changed, `?changedFromRun=${runId}`)).toMatchObject({
    kind: 'estimated',
    basis: { ...basis, isSameConfiguration: false },
  });
});

test('of a change with a thousand million cells, those that were measured are looked at, and the others counted', async () => {
  await using test = await startTestController();
  const { runId } = await storePilot(test);
  const { userAgents, urlLists, scenarios } = makeEvaluation();
  const change = {
    name: 'A large change',
    urlLists: { pages: [...urlLists['pages']!, 'http://origin.test/more/{1..1997}'] },
    userAgents: [
      ...userAgents,
      ...Array.from({ length: 3000 }, (_, index) => ({ ...userAgents[0]!, name: `user ${index}` })),
    ],
    scenarios: [...scenarios, ...Array.from({ length: 170 }, (_, index) => ({ name: `scenario ${index}` }))],
    repetition: { adaptive: { target: { halfWidthRatio: 0.05 } } },
  };
  const answer = await test.program(`/api/evaluations/estimate?changedFromRun=${runId}`, postJson(change));
  expect(EstimateAnswerSchema.parse(await answer.json())).toMatchObject({
    kind: 'estimated',
    endsBy: 'max-rounds',
    slowest: { url: 'http://origin.test/plain', rounds: 11 },
    unknownCells: 3002 * 172 * 2000 - 2 * 2 * 3,
  });
});

test('before a Run, its Rounds and time are estimated by an earlier one, and nothing is stored', async () => {
  await using test = await startTestController();
  await using folder = await makeTemporaryFolder();
  const { token } = await issueToken(test.controller.pool, { name: 'command line', scope: 'api' });
  const access = { HTTP_AE_CONTROLLER: test.controller.url, HTTP_AE_TOKEN: token };
  const file = path.join(folder.path, 'proxy.yaml');
  await writeFile(file, adaptiveYaml);
  expect((await runCli(['evaluate', file, '--estimate'], access)).stdout).toMatch(
    /^No earlier Run of "Proxy or not" .* run a pilot.*\nIt takes at least about 32 s for the pauses/,
  );

  const { runId, evaluationId } = await storePilot(test);
  const answer = await runCli(['evaluate', file, '--estimate'], access);
  // s = 69.3 ms: t(0.98, 10) · s / √11 = 49.3 ms, and 52.5 ms with 10 Rounds. With the warm-up 12 Blocks of 10 s.
  expect(answer).toMatchObject({ exitCode: 0, stderr: '' });
  expect(answer.stdout).toContain('About 11 Rounds of each Scenario (until the target is reached) in about 2 min.');
  expect(answer.stdout).toContain('Total page load latency of http://origin.test/plain by ');
  expect(answer.stdout).toContain(`Based on Run ${runId} with 4 Blocks. The Evaluation has changed since that Run`);
  const { rows } = await test.database.pool.query('select count(*)::int as count from evaluation');
  expect(rows).toEqual([{ count: 1 }]);

  // The stored Evaluation has a fixed number of Rounds.
  const stored = EstimateAnswerSchema.parse(
    await (await test.program(`/api/evaluations/${evaluationId}/estimate`, { method: 'POST' })).json(),
  );
  expect(stored).toMatchObject({
    kind: 'estimated',
    rounds: 4,
    durationMs: 40_000,
    endsBy: 'fixed',
    slowest: null,
    basis: { runId, isSameConfiguration: true },
  });

  await writeFile(file, adaptiveYaml.replace('name: bob', 'name: carol'));
  const guess = EstimateAnswerSchema.parse(
    JSON.parse((await runCli(['evaluate', file, '--estimate', '--json'], access)).stdout),
  );
  // Of the 3 URLs of carol in 2 Scenarios nothing is known.
  expect(guess).toMatchObject({
    kind: 'estimated',
    rounds: 50,
    endsBy: 'max-rounds',
    unknownCells: 6,
    basis: { isSameConfiguration: false },
  });

  await writeFile(file, adaptiveYaml.replace('name: bob', 'name: carol').replace('Proxy or not', 'Another name'));
  const estimate = async (...options: string[]) =>
    EstimateAnswerSchema.parse(
      JSON.parse((await runCli(['evaluate', file, '--estimate', '--json', ...options], access)).stdout),
    );
  expect(await estimate()).toMatchObject({ kind: 'needs-pilot' });
  expect(await estimate('--evaluation', evaluationId)).toMatchObject({ kind: 'estimated', basis: { runId } });
});

test('with --pilot a few Rounds are run first where nothing shows how long one takes, and only there', async () => {
  await using test = await startTestController();
  await using folder = await makeTemporaryFolder();
  const { token } = await issueToken(test.controller.pool, { name: 'command line', scope: 'api' });
  const access = { HTTP_AE_CONTROLLER: test.controller.url, HTTP_AE_TOKEN: token };
  const file = path.join(folder.path, 'proxy.yaml');
  await writeFile(file, adaptiveYaml);
  const asked = runCli(['evaluate', file, '--pilot'], access);
  const readRuns = async () =>
    (await test.database.pool.query<{ repetition: unknown }>(`select document -> 'repetition' as repetition from run`))
      .rows;
  await expect.poll(async () => (await readRuns()).length, { timeout: 20_000 }).toBe(1);
  const [pilot] = await readRuns();
  expect(pilot!.repetition).toMatchObject({ rounds: 3 });
  expect(pilot!.repetition).not.toHaveProperty('adaptive');
  await test.program('/api/runs/1/stop', { method: 'POST' });
  const { exitCode, stdout, stderr } = await asked;
  expect(stderr).toContain('Run 1 of "Proxy or not" is queued, a pilot of 3 Rounds of each Scenario\n');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  // The Evaluation is as the file is.
  expect(
    (await test.database.pool.query(`select document #> '{repetition,adaptive}' as own from evaluation`)).rows,
  ).toEqual([{ own: expect.any(Object) as object }]);

  await storePilot(test);
  const known = await runCli(['evaluate', file, '--pilot'], access);
  expect(known).toMatchObject({ exitCode: 0, stderr: '' });
  expect(known.stdout).toContain('About 11 Rounds of each Scenario');
});
