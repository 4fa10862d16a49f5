import { beforeAll, expect, test } from 'vitest';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { VisitPageSchema, visitSorts } from '#core/protocol/api/listed-visit.ts';
import { listVisits, type VisitPlace } from '#controller/visits/visit-pages.ts';
import { excludeVisits } from '#controller/runs/exclusions.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { startTestController } from '#tests/support/controller.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const failingUrl = 'http://origin.test/plain';
let runId: string;
const controller = holdForAll(() => startTestController());
beforeAll(async () => {
  ({ runId } = await storeCompletedRun(controller.database.pool, { failingUrl }));
});

async function list(filter: Record<string, string> = {}) {
  const answer = await controller.program(`/api/runs/${runId}/visits/page?${new URLSearchParams(filter).toString()}`);
  expect(answer.status).toBe(200);
  return VisitPageSchema.parse(await answer.json());
}

test('the Visits of a Run are listed without its warm-up, all of them or those that were asked for', async () => {
  const { visits, next } = await list();
  // 2 Blocks of 2 Scenarios, with 2 User Agents of 3 URLs each.
  expect(visits).toHaveLength(24);
  expect(next).toBeNull();
  const failed = await list({ status: 'failed' });
  expect(failed.visits).toHaveLength(8);
  expect(new Set(failed.visits.map(({ url }) => url))).toEqual(new Set([failingUrl]));
  const cell = await list({ scenario: 'proxy', userAgent: 'alice', url: failingUrl });
  expect(cell.visits.map(({ scenario, userAgent, block, status }) => [scenario, userAgent, block, status])).toEqual(
    [1, 2].map((block) => ['proxy', 'alice', block, 'failed']),
  );
});

test('Visits that did not settle are found as the report counts them: an excluded one is found as that alone', async () => {
  const { pool } = controller.database;
  let made = 0;
  const stored = await storeCompletedRun(pool, {
    snapshotOf: (page) => ({ ...makeSnapshot(page), settled: ++made % 5 !== 0 }),
  });
  const unsettledIn = async () => {
    const { visits } = VisitPageSchema.parse(
      await (await controller.program(`/api/runs/${stored.runId}/visits/page?status=unsettled`)).json(),
    );
    const { unsettledVisits } = ComparisonSchema.parse(
      await (await controller.program(`/api/runs/${stored.runId}/comparison`)).json(),
    );
    expect(visits.every(({ isSettled }) => isSettled === false)).toBe(true);
    return { visits, unsettledVisits };
  };
  const before = await unsettledIn();
  expect(before.visits.length).toBeGreaterThan(2);
  expect(before.unsettledVisits).toBe(before.visits.length);
  await excludeVisits(pool, {
    runId: stored.runId,
    visitIds: [before.visits[0]!.id],
    reason: 'the cable was out',
    by: 'eve',
  });
  const after = await unsettledIn();
  expect(after.visits.map(({ id }) => id)).toEqual(before.visits.slice(1).map(({ id }) => id));
  expect(after.unsettledVisits).toBe(after.visits.length);
});

test('Visits with failed objects are found, with how many', async () => {
  const stored = await storeCompletedRun(controller.database.pool, {
    totalMsOf: ({ block }) => (block === 1 ? 100 : 1000),
    snapshotOf: (page) => (page.totalMs === 100 ? makePageSnapshot(page, 8) : makeSnapshot(page)),
  });
  const { visits } = VisitPageSchema.parse(
    await (await controller.program(`/api/runs/${stored.runId}/visits/page?status=failed-objects`)).json(),
  );
  expect(visits.map(({ block, failedObjects }) => [block, failedObjects])).toEqual(
    Array.from({ length: 12 }, () => [1, 1]),
  );
});

test('a state that no Visit can have is refused by name', async () => {
  const answer = await controller.program(`/api/runs/${runId}/visits/page?status=lost`);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('must be \\"ok\\"');
});

test('a Visit names its neighbours in the Pass, and why it is left out', async () => {
  const { visits } = await list({ userAgent: 'bob', scenario: 'direct' });
  const details = await Promise.all(
    visits
      .filter(({ block }) => block === 1)
      .map(async ({ id }) => VisitDetailSchema.parse(await (await controller.program(`/api/visits/${id}`)).json())),
  );
  const [first, middle, last] = details.sort((one, other) => one.sequence - other.sequence);
  expect([first!.previousId, first!.nextId]).toEqual([null, middle!.id]);
  expect([middle!.previousId, middle!.nextId]).toEqual([first!.id, last!.id]);
  expect([last!.previousId, last!.nextId]).toEqual([middle!.id, null]);
  expect(first!.exclusion).toBeNull();

  await excludeVisits(controller.database.pool, {
    runId,
    visitIds: [first!.id],
    reason: 'the cable was out',
    by: 'eve',
  });
  const excluded = VisitDetailSchema.parse(await (await controller.program(`/api/visits/${first!.id}`)).json());
  expect(excluded.exclusion).toMatchObject({ reason: 'the cable was out', excludedBy: 'eve' });
  expect((await list({ status: 'excluded' })).visits.map(({ id }) => id)).toEqual([first!.id]);
});

test('Visits are sorted by each column, both ways, a page at a time', async () => {
  const { pool } = controller.database;
  const all = await list();
  for (const sort of visitSorts) {
    for (const order of ['ascending', 'descending'] as const) {
      const sorted = (await list({ sort, order })).visits;
      expect(new Set(sorted.map(({ id }) => id))).toEqual(new Set(all.visits.map(({ id }) => id)));
      const options = { runId, scenario: null, url: null, userAgent: null, status: null, sort, order, limit: 5 };
      const paged: string[] = [];
      for (let after: VisitPlace | null = null; ;) {
        const page = await listVisits(pool, { ...options, after });
        paged.push(...page.map(({ id }) => id));
        after = page.at(-1) ?? null;
        if (page.length < options.limit) break;
      }
      expect(paged).toEqual(sorted.map(({ id }) => id));
    }
  }
  const byUrl = (await list({ sort: 'url', order: 'descending' })).visits.map(({ url }) => url);
  expect(byUrl).toEqual(byUrl.toSorted().reverse());
  // Failed Visits have no latency: they come last in both orders.
  for (const order of ['ascending', 'descending'])
    expect((await list({ sort: 'total', order })).visits.slice(-8).every(({ status }) => status === 'failed')).toBe(
      true,
    );
});

test('within a Block, Visits are in the order in which they began, over pages too', async () => {
  const { pool } = controller.database;
  const stored = await storeCompletedRun(pool);
  // The order of identifiers, which are random, is another one.
  await pool.query(
    `update visit set started_at = timestamptz '2026-01-01' + make_interval(secs => place)
     from (select visit.id, row_number() over (order by visit.id desc) as place from visit
             join pass on pass.id = pass_id join round on round.id = round_id where run_id = $1) as shuffled
     where visit.id = shuffled.id`,
    [stored.runId],
  );
  const options = { runId: stored.runId, scenario: null, url: null, userAgent: null, status: null };
  const all = await listVisits(pool, { ...options, after: null, limit: 100 });
  const inOrder = all.toSorted((a, b) => a.block - b.block || Date.parse(a.startedAt) - Date.parse(b.startedAt));
  expect(all).toEqual(inOrder);
  const first = await listVisits(pool, { ...options, after: null, limit: 7 });
  const rest = await listVisits(pool, { ...options, after: first.at(-1)!, limit: 100 });
  expect([...first, ...rest]).toEqual(all);
});

test('Visits are found by limits of their total latency', async () => {
  expect((await list({ atLeastMs: '1000', atMostMs: '1000.5' })).visits).toHaveLength(16);
  expect((await list({ atLeastMs: '1000.5' })).visits).toHaveLength(0);
  const refused = await controller.program(`/api/runs/${runId}/visits/page?atLeastMs=1e3`);
  expect(refused.status).toBe(400);
});
