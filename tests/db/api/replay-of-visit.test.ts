import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { ReplayOfVisitSchema } from '#core/protocol/api/replay-of-visit.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { startTestController, type TestController } from '../../support/controller.ts';
import { recordedEpochMs } from '../../support/make-recorded-site.ts';
import { uploadShop } from '../../support/make-shop-site.ts';
import { makePageSnapshot } from '../../support/page-snapshot.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';

let it: TestController;
beforeAll(async () => {
  it = await startTestController();
});
afterAll(() => it[Symbol.asyncDispose]());

test('the page of a Visit is compared with the recording that it replayed, as long as that is there', async () => {
  const { sha256, id } = await uploadShop(it, 'shop');
  const entry = { site: 'shop', page: 1, url: 'https://shop.test/', recording: { sha256, recordedEpochMs } };
  const { scenarios, ...rest } = makeEvaluation();
  const evaluation = EvaluationSchema.parse({
    ...rest,
    urlLists: { pages: [entry, 'http://origin.test/images/1'] },
    scenarios: scenarios.map((scenario) => ({ ...scenario, network: { link: 'none' } })),
  });
  const { visits } = await storeCompletedRun(it.controller.pool, {
    evaluation,
    snapshotOf: (page) => makePageSnapshot(page, 2),
  });
  const read = (url: string) => it.program(`/api/visits/${visits.find((visit) => visit.url === url)!.id}/replay`);
  const readReplay = async () => ReplayOfVisitSchema.parse(await (await read(entry.url)).json());

  const found = await readReplay();
  if (found.kind === 'absent') throw new Error(found.reason);
  expect(found).toMatchObject({ site: { id, name: 'shop' }, page: 1 });
  expect(found.comparison).toMatchObject({
    objects: { recorded: 36, replayed: 1 },
    hosts: { recorded: 15, replayed: 1 },
    misses: [expect.stringContaining('https://shop.test/') as string, expect.any(String) as string],
    unknownHosts: [],
    latencies: { totalMs: { recordedMs: 300 } },
  });
  expect(found.comparison.missing).toContain('https://cdn.shop.test/image-3.png');
  expect(found.comparison.score).toBeLessThan(0.5);

  const other = await read('http://origin.test/images/1');
  expect([other.status, ProblemSchema.parse(await other.json()).message]).toEqual([
    404,
    expect.stringContaining('loaded no page of a Site'),
  ]);

  await it.program('/api/sites/shop', { method: 'DELETE' });
  expect(await readReplay()).toEqual({ kind: 'absent', reason: 'The Site “shop” was deleted' });
  await uploadShop(it, 'another');
  await it.controller.pool.query(`update site set name = 'shop', sha256 = repeat('a', 64)`);
  expect(await readReplay()).toEqual({ kind: 'absent', reason: 'The Site “shop” has another recording now' });
});
