import { expect, test } from 'vitest';
import { metricIds, type MetricId, deriveReadings } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { Filmstrip } from '#core/protocol/filmstrip.ts';
import { makeFrame, makeSnapshot, startEpochMs } from './support/snapshot-parts.ts';

const visualIds = ['speedIndexMs', 'visuallyComplete85Ms', 'visuallyComplete95Ms', 'visuallyComplete100Ms'] as const;

const filmOf = (
  steps: readonly [atMs: number, progressRatio: number | undefined][],
  parts: { leftOut?: number; isLastLate?: boolean } = {},
): Filmstrip => ({
  kind: 'kept',
  leftOut: 0,
  isLastLate: false,
  ...parts,
  frames: steps.map(([atMs, progressRatio]) => ({
    sha256: 'a'.repeat(64),
    bytes: 100,
    shownEpochMs: startEpochMs + atMs,
    ...(progressRatio !== undefined && { progressRatio }),
  })),
});

function visualsOf(filmstrip: Filmstrip | null, snapshot: Snapshot = makeSnapshot()) {
  const readings = new Map<MetricId, number | string>(
    deriveReadings(snapshot, filmstrip).map((reading) => [
      reading.metric,
      reading.kind === 'measured' ? reading.value : reading.reason,
    ]),
  );
  return visualIds.map((id) => readings.get(id));
}

test('the Speed Index is the integral of what is missing, from navigation start to the last look', () => {
  // Half at 1000 ms, the rest at 2000 ms: 1000 · 1 + 1000 · 0.5. What was there before navigation start, was there then.
  expect(
    visualsOf(
      filmOf([
        [-40, 0],
        [1000, 0.5],
        [2000, 1],
      ]),
    ),
  ).toEqual([1500, 2000, 2000, 2000]);
});

test('visually complete is the first time that so much is there, though less was later', () => {
  const [speedIndexMs, ...complete] = visualsOf(
    filmOf([
      [10, 0],
      [500, 0.849],
      [600, 0.85],
      [700, 0.96],
      [900, 0.3],
      [1000, 1],
    ]),
  );
  expect(complete).toEqual([600, 700, 1000]);
  expect(speedIndexMs).toBeCloseTo(500 + 100 * 0.151 + 100 * 0.15 + 200 * 0.04 + 100 * 0.7, 9);
});

test('without a film from start to end, of a page that did not settle, or where nothing came, they are absent', () => {
  const all = (reason: string) => visualIds.map(() => reason);
  const whole = filmOf([
    [0, 0],
    [100, 1],
  ]);
  expect(visualsOf(null)).toEqual(all('not-filmed'));
  expect(visualsOf({ kind: 'absent', reason: 'It could not be ended' })).toEqual(all('not-filmed'));
  // An older Agent.
  expect(
    visualsOf(
      filmOf([
        [0, undefined],
        [100, undefined],
      ]),
    ),
  ).toEqual(all('not-filmed'));
  expect(
    visualsOf(
      filmOf([
        [101, 0],
        [200, 1],
      ]),
    ),
  ).toEqual(all('not-filmed'));
  expect(
    visualsOf(
      filmOf(
        [
          [0, 0],
          [100, 1],
        ],
        { isLastLate: true },
      ),
    ),
  ).toEqual(all('not-filmed'));
  expect(visualsOf(filmOf([[0, 1]]))).toEqual(all('not-reached'));
  expect(visualsOf(whole, makeSnapshot({ settled: false }))).toEqual(all('not-reached'));
  expect(visualsOf(whole, makeSnapshot({ frames: [makeFrame({ wasEverHidden: true })] }))).toEqual(all('page-hidden'));
  expect(visualsOf(whole, makeSnapshot({ viewport: null }))).toEqual(all('unsupported'));
});

test('a film changes no other Reading', () => {
  const film = filmOf([
    [0, 0],
    [100, 1],
  ]);
  const others = (readings: ReturnType<typeof deriveReadings>) =>
    readings.filter(({ metric }) => !(visualIds as readonly string[]).includes(metric));
  expect(others(deriveReadings(makeSnapshot(), film))).toEqual(others(deriveReadings(makeSnapshot())));
  expect(others(deriveReadings(makeSnapshot())).length).toBe(metricIds.length - visualIds.length);
});
