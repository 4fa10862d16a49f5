import { beforeAll, expect, test } from 'vitest';
import { excludeVisits } from '#controller/runs/exclusions.ts';
import { VisitPairsSchema } from '#core/protocol/api/visit-pairs.ts';
import { startTestController } from '#tests/support/controller.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const url = 'http://origin.test/images/1';
const failingUrl = 'http://origin.test/plain';
let stored: Awaited<ReturnType<typeof storeCompletedRun>>;
const controller = holdForAll(() => startTestController());
beforeAll(async () => {
  stored = await storeCompletedRun(controller.database.pool, {
    failingUrl,
    // Block 2 is slower, and so is bob.
    totalMsOf: (visit) =>
      visit.url === failingUrl
        ? null
        : 100 * visit.block + (visit.userAgent === 'bob' ? 10 : 0) + (visit.scenario === 'proxy' ? 1 : 0),
  });
});

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

test('two filmed Visits are found: of the warm-up Block, and rather of one that counts', async () => {
  const { pool } = controller.database;
  const film = JSON.stringify({ kind: 'kept', frames: [], leftOut: 0, isLastLate: false });
  const filmBob = async (block: number, scenario: string) => {
    const { rows } = await pool.query<{ id: string }>(
      `update visit set filmstrip = $5 from pass join round on round.id = pass.round_id
       where pass.id = visit.pass_id and run_id = $1 and block = $2 and scenario = $3 and url = $4 and user_agent = 'bob'
       returning visit.id`,
      [stored.runId, block, scenario, url, film],
    );
    return rows[0]!.id;
  };
  const first = await filmBob(0, 'direct');
  expect((await find()).filmed).toBeNull();
  const second = await filmBob(0, 'proxy');
  expect((await find()).filmed).toEqual({ first, second });
  // Of different Blocks: no pair.
  const counted = await filmBob(2, 'direct');
  await filmBob(1, 'proxy');
  expect((await find()).filmed).toEqual({ first, second });
  const pair = { first: counted, second: await filmBob(2, 'proxy') };
  expect((await find()).filmed).toEqual(pair);
  expect((await find({ userAgent: 'alice' })).filmed).toBeNull();
});

test('what is asked in another way is refused', async () => {
  expect((await ask({}, '999999')).status).toBe(404);
  expect((await ask({ metric: 'connectMs' })).status).toBe(400);
  expect((await ask({ first: 'x'.repeat(81) })).status).toBe(400);
});
