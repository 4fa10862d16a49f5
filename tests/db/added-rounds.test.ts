import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gatherRecord } from '#cli/report/gather-record.ts';
import { readBundle } from '#cli/report/read-bundle.ts';
import { addRounds } from '#controller/coordinator/run-coordinator.ts';
import { listAddedRounds } from '#controller/runs/store-added-rounds.ts';
import { findRunSummary } from '#controller/runs/run-summaries.ts';
import { requestStop } from '#controller/runs/stored-runs.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { RoundsProposalSchema } from '#core/protocol/api/rounds-proposal.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { intervalConfidence } from '#core/stop-rule/interval-confidence.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { evaluationOn, servePage, startMeasuringAgent } from './controllers/support/measuring-agent.ts';

test(
  'Rounds are added to a Run that is complete, and its report and its bundle say so',
  { timeout: 120_000 },
  async () => {
    await using it = await startTestController();
    await using page = await servePage();
    await using folder = await makeTemporaryFolder();
    const { pool, url: controllerUrl } = it.controller;
    await using stack = new AsyncDisposableStack();
    stack.use(await startMeasuringAgent({ pool, controllerUrl, name: 'laptop' }));
    const evaluation = evaluationOn(['laptop'], { url: page.url, rounds: 1 });
    const { id: evaluationId } = StoredEvaluationSchema.parse(
      await (await it.program('/api/evaluations', postJson(evaluation))).json(),
    );
    const { id } = RunSummarySchema.parse(
      await (await it.program(`/api/evaluations/${evaluationId}/runs`, postJson({ seed: 4 }))).json(),
    );
    const readRun = async () => RunDetailSchema.parse(await (await it.program(`/api/runs/${id}`)).json());
    const untilCompleted = () =>
      expect.poll(async () => (await readRun()).state, { timeout: 120_000 }).toBe('completed');
    const add = (rounds: number) => it.program(`/api/runs/${id}/added-rounds`, postJson({ rounds }));

    expect((await add(1)).status).toBe(409);
    await untilCompleted();
    const proposal = RoundsProposalSchema.parse(
      await (await it.program(`/api/runs/${id}/added-rounds/proposal`)).json(),
    );
    expect(proposal).toMatchObject({
      refusal: null,
      blocks: 1,
      goal: { of: 'reduction', halfWidth: 0.05 },
      changes: [],
    });
    expect(proposal.confidenceThen).toBeGreaterThan(0.95);

    expect((await add(0)).status).toBe(400);
    expect((await add(1)).status).toBe(201);
    await untilCompleted();
    expect(await readRun()).toMatchObject({ roundsPlanned: 2 + 2, roundsCompleted: 2 + 2 });

    const run = await readRun();
    expect(run.added.map(({ firstBlock, blocks }) => ({ firstBlock, blocks }))).toEqual([{ firstBlock: 2, blocks: 1 }]);
    const completed = run.rounds.filter(({ state }) => state === 'completed');
    expect(
      completed
        .toSorted((one, other) => one.index - other.index)
        .map(({ index, block, scenario, warmUp }) => ({ index, block, scenario, warmUp })),
    ).toEqual(
      expandEvaluation(run.evaluation, 4, run.added).map(({ index, block, scenario, warmUp }) => ({
        index,
        block,
        scenario,
        warmUp,
      })),
    );

    await pool.query(
      `update pass set engine_version = 'http/9' from round where round.id = round_id and run_id = $1 and block = 2`,
      [id],
    );
    const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${id}/comparison`)).json());
    expect(comparison.intervalConfidence).toBe(intervalConfidence(run.evaluation.repetition, 0.95, [1, 2]));
    expect(comparison.ending).toMatchObject({ stopReason: 'added', blocks: 2 });
    expect(comparison.remarks.find(({ about }) => about === 'added')?.text).toMatch(
      /^Rounds were added after the result had been seen: Block 2 on \S+\. To account for these 2 looks/,
    );
    const method = RunMethodSchema.parse(await (await it.program(`/api/runs/${id}/method`)).json());
    expect(method.added.map(({ requestedBy }) => requestedBy)).toEqual(['API token "test"']);
    expect(method.added[0]!.changes).toEqual([expect.stringMatching(/^laptop: engines changed from .+ to http\/9\.$/)]);

    const file = path.join(folder.path, 'run.bundle.gz');
    await writeFile(file, Buffer.from(await (await it.program(`/api/runs/${id}/bundle`)).arrayBuffer()));
    expect(computeComparison(await gatherRecord(readBundle(file), file))).toEqual(comparison);
  },
);

test('added Rounds that have not begun are taken back, and the Run is as it was', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool);
  const before = await findRunSummary(pool, runId);
  await addRounds(pool, { runId, rounds: 3, requestedBy: 'Ada' });
  expect(await findRunSummary(pool, runId)).toMatchObject({ state: 'pending', roundsPlanned: 6 + 8 });
  expect(await listAddedRounds(pool, runId)).toMatchObject([{ firstBlock: 3, blocks: 3, requestedBy: 'Ada' }]);
  await requestStop(pool, runId);
  expect(await findRunSummary(pool, runId)).toEqual(before);
  expect(await listAddedRounds(pool, runId)).toEqual([]);
});

test('no Rounds are added to a Run that was stopped before its declared end', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool, { lastBlock: 1 });
  await pool.query(`update run set state = 'stopped' where id = $1`, [runId]);
  await expect(addRounds(pool, { runId, rounds: 3, requestedBy: 'Ada' })).rejects.toThrow('only a completed Run');
  await expect(addRounds(pool, { runId: '999999', rounds: 3, requestedBy: 'Ada' })).rejects.toThrow('There is no Run');
});
