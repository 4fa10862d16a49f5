import { afterAll, beforeAll, expect, test } from 'vitest';
import { excludeVisits } from '#controller/runs/exclusions.ts';
import { VisitPairsSchema } from '#core/protocol/api/visit-pairs.ts';
import { startTestController, type TestController } from '#tests/support/controller.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';

const url = 'http://origin.test/images/1';
const failingUrl = 'http://origin.test/plain';
let controller: TestController;
let stored: Awaited<ReturnType<typeof storeCompletedRun>>;
beforeAll(async () => {
  controller = await startTestController();
  stored = await storeCompletedRun(controller.database.pool, {
    failingUrl,
    // Block 2 is slower, and so is bob.
    totalMsOf: (visit) =>
      visit.url === failingUrl
        ? null
        : 100 * visit.block + (visit.userAgent === 'bob' ? 10 : 0) + (visit.scenario === 'proxy' ? 1 : 0),
  });
});
afterAll(() => controller[Symbol.asyncDispose]());

async function ask(asked: Record<string, string>, runId = stored.runId) {
  const search = new URLSearchParams({ url, first: 'direct', second: 'proxy', ...asked });
  return controller.program(`/api/runs/${runId}/visit-pairs?${search.toString()}`);
}
const find = async (asked: Record<string, string> = {}) => VisitPairsSchema.parse(await (await ask(asked)).json());

test('Visits of a page are paired by Block and User Agent, without warm-ups', async () => {
  const { pairs, hasMore } = await find();
  expect(hasMore).toBe(false);
  expect(pairs.map(({ block, userAgent, first, second }) => [block, userAgent, first.valueMs, second.valueMs])).toEqual(
    [
      [1, 'alice', 100, 101],
      [1, 'bob', 110, 111],
      [2, 'alice', 200, 201],
      [2, 'bob', 210, 211],
    ],
  );
  const ofBob = await find({ userAgent: 'bob' });
  expect(ofBob.pairs.map(({ block, userAgent }) => [block, userAgent])).toEqual([
    [1, 'bob'],
    [2, 'bob'],
  ]);
});

test('the median Visits are those of the shorter middle', async () => {
  const { median } = await find();
  expect([median!.first.valueMs, median!.second.valueMs]).toEqual([110, 111]);
});

test('an excluded Visit is in no pair, and a page that failed has none', async () => {
  const { pairs } = await find({ userAgent: 'alice' });
  await excludeVisits(controller.database.pool, {
    runId: stored.runId,
    visitIds: [pairs[0]!.second.id],
    reason: 'the cable was out',
    by: 'eve',
  });
  const left = await find({ userAgent: 'alice' });
  expect(left.pairs.map(({ block }) => block)).toEqual([2]);
  expect(left.median!.second.valueMs).toBe(201);
  expect(await find({ url: failingUrl })).toEqual({ pairs: [], hasMore: false, median: null, filmed: null });
  expect(await find({ second: 'no such Scenario' })).toEqual({ pairs: [], hasMore: false, median: null, filmed: null });
});

test('the filmed Visits of the warm-up Block are found, though no pair has them', async () => {
  const { pool } = controller.database;
  const ofWarmUp = await pool.query<{ id: string; scenario: string }>(
    `select visit.id, scenario from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
     where run_id = $1 and warm_up and url = $2 and user_agent = 'bob' order by scenario`,
    [stored.runId, url],
  );
  const film = JSON.stringify({ kind: 'kept', frames: [], leftOut: 0, isLastLate: false });
  const [first, second] = ofWarmUp.rows.map(({ id }) => id);
  await pool.query('update visit set filmstrip = $2 where id = $1', [first, film]);
  expect((await find()).filmed).toBeNull();
  await pool.query('update visit set filmstrip = $2 where id = $1', [second, film]);
  expect((await find()).filmed).toEqual({ first, second });
  expect((await find({ userAgent: 'alice' })).filmed).toBeNull();
});

test('what is asked in another way is refused', async () => {
  expect((await ask({}, '999999')).status).toBe(404);
  expect((await ask({ metric: 'connectMs' })).status).toBe(400);
  expect((await ask({ first: 'x'.repeat(81) })).status).toBe(400);
});
