import pino from 'pino';
import { expect, test } from 'vitest';
import { DerivationPool } from '#controller/ingest/derivation-pool.ts';
import { CausesFilling } from '#controller/reports/causes-filling.ts';
import { causeIds } from '#core/causes/causes.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { startTestController } from '../support/controller.ts';
import { storeCompletedRun } from '../support/stored-run.ts';

test('a Comparison has the causes of its Visits, also of those that an earlier version stored', async () => {
  await using it = await startTestController();
  const { pool } = it.database;
  const { runId } = await storeCompletedRun(pool);
  const compare = async () => ComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/comparison`)).json());

  const { causes, metrics, primaryMetric } = await compare();
  if (causes.kind === 'absent') throw new Error(causes.reason);
  const primary = metrics.find(({ metric }) => metric === primaryMetric)!;
  for (const { scenario, parts, difference } of causes.scenarios) {
    const own = primary.scenarios.find((each) => each.scenario === scenario)!;
    expect(parts!.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(own.estimate!.mean, 6);
    if (own.isBaseline) expect(difference).toBeNull();
    else if (own.contrast?.meanDifference.kind === 'measured')
      expect(difference!.total.value).toBeCloseTo(own.contrast.meanDifference.value, 6);
  }
  const [row] = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as Record<string, number>[];
  const exported = causeIds.map(
    (cause) => row![`total_cause_${cause.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}_ms`]!,
  );
  expect(exported.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(row!.total_ms!, 6);

  await pool.query('update visit set causes = null, causes_version = null');
  await pool.query('update run set revision = revision + 1');
  expect((await compare()).causes).toEqual({
    kind: 'absent',
    reason: expect.stringContaining('Open this page again') as string,
  });

  await using derivations = new DerivationPool();
  await using filling = new CausesFilling({ pool, derivations, log: pino({ level: 'silent' }) });
  filling.want(runId);
  await filling.settle();
  expect((await compare()).causes).toEqual(causes);
});
