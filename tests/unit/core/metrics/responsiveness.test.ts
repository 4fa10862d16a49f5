import { expect, test } from 'vitest';
import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import { readMetric } from './support/read-metric.ts';
import { makeFrame, makeSnapshot, startEpochMs } from './support/snapshot-parts.ts';

const shiftsAt = (shifts: [startTime: number, value: number][], hadRecentInput = false) =>
  shifts.map(([startTime, value]) => ({ startTime, value, hadRecentInput }));

/** A page that was first painted at 200 ms. */
const snapshotOf = (parts: Partial<FrameSnapshot>, settled = true, settledMs = 2000) =>
  makeSnapshot({
    settled,
    takenEpochMs: startEpochMs + settledMs,
    frames: [makeFrame({ firstContentfulPaintMs: 200, layoutShifts: [], longTasks: [], ...parts })],
  });
const shiftOf = (layoutShifts: FrameSnapshot['layoutShifts'], settledMs = 10_000) =>
  readMetric(snapshotOf({ layoutShifts }, true, settledMs), 'cumulativeLayoutShift');
const blockingOf = (...tasks: [startTime: number, duration: number][]) =>
  readMetric(
    snapshotOf({ longTasks: tasks.map(([startTime, duration]) => ({ startTime, duration })) }),
    'totalBlockingMs',
  );

test('layout shifts add up within a session window, which a second without one ends; the greatest counts', () => {
  expect(shiftOf([])).toBe(0);
  // As in web-vitals, a gap of exactly 1 s ends the window.
  expect(
    shiftOf(
      shiftsAt([
        [100, 0.1],
        [1099, 0.25],
        [2099, 0.3],
      ]),
    ),
  ).toBeCloseTo(0.35, 12);
  expect(
    shiftOf(
      shiftsAt([
        [2099, 0.5],
        [100, 0.1],
        [1099, 0.25],
      ]),
    ),
  ).toBeCloseTo(0.5, 12);
});

test('a session window is at most 5 s long, and a shift after an input is in none', () => {
  const everyHalfSecond = shiftsAt(Array.from({ length: 15 }, (_, index) => [500 * index, 0.01]));
  expect(shiftOf(everyHalfSecond)).toBeCloseTo(0.1, 12);
  expect(shiftOf([...shiftsAt([[100, 0.1]]), ...shiftsAt([[200, 0.7]], true)])).toBeCloseTo(0.1, 12);
  // One that came while the page was read out.
  const late = shiftsAt([
    [1900, 0.1],
    [2001, 0.7],
  ]);
  expect(shiftOf(late, 2000)).toBeCloseTo(0.1, 12);
});

test('of each long task what exceeds 50 ms blocks, from the first contentful paint until the page had settled', () => {
  expect(blockingOf()).toBe(0);
  expect(blockingOf([300, 300], [700, 80])).toBe(250 + 30);
  // Cut at the paint, at the end, and outside of both.
  expect(blockingOf([100, 200])).toBe(50);
  expect(blockingOf([1900, 400])).toBe(50);
  expect(blockingOf([100, 120], [50, 100], [2100, 500])).toBe(0);
});

test('they are absent without entries, without a paint, where the page did not settle, and where it was hidden', () => {
  const reasonsOf = (parts: Partial<FrameSnapshot>, settled?: boolean) =>
    (['cumulativeLayoutShift', 'totalBlockingMs'] as const).map((metric) =>
      readMetric(snapshotOf(parts, settled), metric),
    );
  expect(readMetric(makeSnapshot(), 'cumulativeLayoutShift')).toBe('unsupported');
  expect(readMetric(makeSnapshot(), 'totalBlockingMs')).toBe('unsupported');
  expect(reasonsOf({ firstContentfulPaintMs: null })).toEqual(['not-reached', 'not-reached']);
  expect(reasonsOf({}, false)).toEqual(['not-reached', 'not-reached']);
  expect(reasonsOf({ wasEverHidden: true })).toEqual(['page-hidden', 'page-hidden']);
});
