import { expect, test } from 'vitest';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { stripExtent } from '#web-ui/src/pages/run/run-intervals.tsx';
import { addLivePoints, type LivePoint } from '#web-ui/src/pages/run/use-visit-points.ts';

interface Reported {
  id: string;
  state: string;
  warmUp?: boolean;
  passes: { visitsMade: number; lastTotalMs: number | null }[];
}

const runWith = (...rounds: Reported[]) =>
  ({
    rounds: rounds.map(({ passes, ...round }) => ({
      warmUp: false,
      scenario: 'proxy',
      ...round,
      passes: passes.map((pass, index) => ({ id: `${round.id}/${index}`, ...pass })),
    })),
  }) as unknown as RunDetail;

test('each Visit that is reported is one point, however often it is reported, until its Round has ended', () => {
  let points: readonly LivePoint[] = [];
  const report = (run: RunDetail) => (points = addLivePoints(points, run));
  report(runWith({ id: 'r', state: 'running', passes: [{ visitsMade: 0, lastTotalMs: null }] }));
  expect(points).toEqual([]);
  const first = runWith({ id: 'r', state: 'running', passes: [{ visitsMade: 1, lastTotalMs: 900 }] });
  const before = report(first);
  expect(report(first)).toBe(before);
  report(runWith({ id: 'r', state: 'running', passes: [{ visitsMade: 2, lastTotalMs: 900 }] }));
  expect(points.map(({ totalMs, scenario }) => [totalMs, scenario])).toEqual([
    [900, 'proxy'],
    [900, 'proxy'],
  ]);
  report(runWith({ id: 'r', state: 'completed', passes: [{ visitsMade: 2, lastTotalMs: null }] }));
  expect(points).toEqual([]);
});

test('Visits of a warm-up are no points, as they do not count', () => {
  const run = runWith({ id: 'w', state: 'running', warmUp: true, passes: [{ visitsMade: 1, lastTotalMs: 900 }] });
  expect(addLivePoints([], run)).toEqual([]);
});

test('the axis holds every point and interval, and nothing below zero', () => {
  expect(stripExtent([], [null])).toBeNull();
  const extent = stripExtent(
    [{ scenario: 'proxy', valueMs: 500, isLive: true }],
    [{ rounds: 3, mean: 600, halfWidth: 700 }],
  )!;
  expect(extent.low).toBe(0);
  expect(extent.high).toBeGreaterThan(1300);
});
