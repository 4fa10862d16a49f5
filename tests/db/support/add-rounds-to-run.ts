import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { gatherRecord } from '#cli/report/gather-record.ts';
import { readBundle } from '#cli/report/read-bundle.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { RoundsProposalSchema } from '#core/protocol/api/rounds-proposal.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { intervalConfidence } from '#core/stop-rule/level-of-look.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { evaluationOn, servePage, startMeasuringAgent } from '../controllers/support/measuring-agent.ts';

/**
 * Adds Rounds to a Run that is complete. Its plan, its report and its bundle must say so. With `losesLease` they are added once more, and the owner
 * of the Run is lost in them.
 */
export async function addRoundsToRun({ warmUp, losesLease }: { warmUp: boolean; losesLease: boolean }): Promise<void> {
  const added = losesLease ? [2, 3] : [2];
  await using it = await startTestController();
  await using page = await servePage();
  await using folder = await makeTemporaryFolder();
  const { pool, url: controllerUrl } = it.controller;
  await using stack = new AsyncDisposableStack();
  stack.use(await startMeasuringAgent({ pool, controllerUrl, name: 'laptop' }));
  const declared = evaluationOn(['laptop'], { url: page.url, rounds: 1 });
  const evaluation = { ...declared, repetition: { ...declared.repetition, warmUp } };
  const roundsOfBlock = warmUp ? 4 : 2;
  const { id: evaluationId } = StoredEvaluationSchema.parse(
    await (await it.program('/api/evaluations', postJson(evaluation))).json(),
  );
  const { id } = RunSummarySchema.parse(
    await (await it.program(`/api/evaluations/${evaluationId}/runs`, postJson({ seed: 4 }))).json(),
  );
  const readRun = async () => RunDetailSchema.parse(await (await it.program(`/api/runs/${id}`)).json());
  const untilCompleted = () => expect.poll(async () => (await readRun()).state, { timeout: 120_000 }).toBe('completed');
  const add = (rounds: number) => it.program(`/api/runs/${id}/added-rounds`, postJson({ rounds }));

  expect((await add(1)).status).toBe(409);
  await untilCompleted();
  const proposal = RoundsProposalSchema.parse(await (await it.program(`/api/runs/${id}/added-rounds/proposal`)).json());
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
  expect(await readRun()).toMatchObject({
    roundsPlanned: 2 * roundsOfBlock,
    roundsCompleted: 2 * roundsOfBlock,
  });

  if (losesLease) {
    page.hold();
    const before = page.requests;
    expect((await add(1)).status).toBe(201);
    await expect.poll(() => page.requests, { timeout: 60_000 }).toBeGreaterThan(before);
    // As if the Controller had died: another one, which is itself, takes the Run up again.
    await pool.query(`update run set epoch = epoch + 1, owner_until = now() - interval '1 second' where id = $1`, [id]);
    page.release();
    await untilCompleted();
  }

  const run = await readRun();
  expect(run.added.map(({ firstBlock, blocks }) => ({ firstBlock, blocks }))).toEqual(
    added.map((firstBlock) => ({ firstBlock, blocks: 1 })),
  );
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
  expect(run.rounds.some(({ state }) => state === 'broken')).toBe(losesLease);

  await pool.query(
    `update pass set engine_version = 'http/9' from round where round.id = round_id and run_id = $1 and block = 2`,
    [id],
  );
  const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${id}/comparison`)).json());
  expect(comparison.intervalConfidence).toBe(intervalConfidence(run.evaluation.repetition, 0.95, [1, ...added]));
  expect(comparison.ending).toMatchObject({ stopReason: 'added', blocks: added.at(-1) });
  expect(comparison.remarks.find(({ about }) => about === 'added')?.text).toMatch(
    new RegExp(
      String.raw`^Rounds were added after the result had been seen: ${added.map((block) => String.raw`Block ${block} on \S+`).join(' and ')}\. To account for these ${1 + added.length} looks`,
    ),
  );
  const method = RunMethodSchema.parse(await (await it.program(`/api/runs/${id}/method`)).json());
  expect(method.added.map(({ requestedBy }) => requestedBy)).toEqual(added.map(() => 'API token "test"'));
  expect(method.added[0]!.changes).toEqual([expect.stringMatching(/^laptop: engines changed from .+ to http\/9\.$/)]);

  const file = path.join(folder.path, 'run.bundle.gz');
  await writeFile(file, Buffer.from(await (await it.program(`/api/runs/${id}/bundle`)).arrayBuffer()));
  expect(computeComparison(await gatherRecord(readBundle(file), file))).toEqual(comparison);
}
