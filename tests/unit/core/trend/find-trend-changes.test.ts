import { expect, test } from 'vitest';
import type { TrendRun } from '#core/protocol/api/evaluation-trend.ts';
import { arrangeTrend } from '#core/trend/arrange-trend.ts';
import { findTrendChanges, describeTrendChanges } from '#core/trend/find-trend-changes.ts';
import { makeTrendRun } from '#tests/support/make-trend-run.ts';

const find = (runs: readonly TrendRun[], axis: 'date' | 'label:build' = 'date') =>
  findTrendChanges(arrangeTrend(runs, axis)!);

const course = (
  reductions: readonly number[],
  change: (index: number) => Parameters<typeof makeTrendRun>[1] = () => ({}),
) => reductions.map((proxy, index) => makeTrendRun(String(index + 1), { ...change(index), reductions: { proxy } }));

const falling = [0.3, 0.31, 0.3, 0.29, 0.3, 0.31, 0.2, 0.21, 0.2, 0.19, 0.2, 0.21];

test('a fallen reduction is found with its place, its levels and its size, however the Runs are drawn', () => {
  const runs = course(falling, (index) => ({
    labels: { build: String(100 - index) },
    engine: index < 6 ? 'Chrome/140' : 'Chrome/141',
  }));
  const found = find(runs);
  expect(found).toMatchObject({ kind: 'sought', runs: 12 });
  const [change, ...others] = found.kind === 'sought' ? found.changes : [];
  expect(others).toEqual([]);
  expect(change).toMatchObject({ scenario: 'proxy', at: { before: { runId: '6' }, after: { runId: '7' } } });
  expect(change!.before).toBeCloseTo(0.3018, 3);
  expect(change!.after).toBeCloseTo(0.2017, 3);
  // 0.8 / 0.7: the Scenario takes 14 % more of the time of its baseline.
  expect(change!.change.ratio).toBeCloseTo(-0.143, 2);
  expect(change!.change.low < change!.change.ratio && change!.change.ratio < change!.change.high).toBe(true);
  expect(change!.runs.before.map(({ runId }) => runId)).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(find(runs, 'label:build')).toEqual({
    ...found,
    changes: [expect.objectContaining({ p: change!.p, at: expect.anything() as unknown })],
  });
  const [sentence] = describeTrendChanges(found);
  expect(sentence).toMatch(
    /^proxy takes 14 % more time since Run 7 than before, against its baseline \(95 % interval 1\d–1\d %\)\. Before, it took 30 % less time than its baseline; since then 20 % less time\. The change is between Runs 6 and 7 \(.+\), p (= 0\.00\d+|< 0\.001)\. The engine changed, too: Chrome\/140 to Chrome\/141\.$/,
  );
});

test('Runs of other settings or definitions, and those without an interval, are no part of it, and too few show nothing', () => {
  const isOther = (index: number) => index < 6;
  expect(find(course(falling, (index) => ({ settings: isOther(index) ? 'old' : 'new' })))).toEqual({
    kind: 'too-few',
    runs: 6,
    needed: 8,
  });
  expect(find(course(falling, (index) => ({ versions: isOther(index) ? [1] : [3] })))).toMatchObject({ runs: 6 });
  expect(find(course(falling, (index) => ({ standardError: isOther(index) ? null : 0.02 })))).toMatchObject({
    runs: 6,
  });
  expect(describeTrendChanges(find(course(falling.slice(0, 3))))).toEqual([
    'A change can be shown from 8 Runs of the same settings on. There are 3 with an interval.',
  ]);
  expect(describeTrendChanges(find(course(falling.slice(0, 6).concat(falling.slice(0, 6)))))).toEqual([
    'No change of the reduction is shown in 12 Runs of the newest settings.',
  ]);
});

test('more Scenarios need more Runs, and very many are not looked at', () => {
  const many = (count: number) =>
    falling.slice(1).map((_, index) =>
      makeTrendRun(String(index + 1), {
        reductions: Object.fromEntries(Array.from({ length: count }, (__, of) => [`s${of}`, 0.2])),
      }),
    );
  expect(find(many(12))).toEqual({ kind: 'too-few', runs: 11, needed: 12 });
  expect(find(many(13))).toEqual({ kind: 'too-many-scenarios', most: 12 });
  expect(find(many(0))).toEqual({ kind: 'no-scenario' });
  expect(describeTrendChanges(find(many(0)))).toEqual([]);
});

test('of very many Runs the newest are looked at', () => {
  const runs = Array.from({ length: 230 }, (_, index) => ({
    ...makeTrendRun(String(index + 1), {
      day: 1,
      reductions: { proxy: (index < 30 ? 0.5 : 0.3) + 0.01 * (index % 3) },
    }),
    startedAt: new Date(Date.UTC(2026, 0, index + 1)).toISOString(),
  }));
  expect(find(runs)).toEqual({ kind: 'sought', runs: 200, changes: [] });
});
