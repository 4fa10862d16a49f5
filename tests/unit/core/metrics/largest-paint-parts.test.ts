import { expect, test } from 'vitest';
import { deriveReadings } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { readMetric } from './support/read-metric.ts';
import { makeResource, makeFrame, makeSnapshot } from './support/snapshot-parts.ts';

const image = 'http://origin.test/image.jpg';
const snapshotOf = (url: string | null | undefined, entry: { requestStart: number; responseEnd: number } | null) =>
  makeSnapshot({
    frames: [
      makeFrame({
        largestContentfulPaintMs: 900,
        ...(url !== undefined && { largestContentfulPaintUrl: url }),
        resources: entry ? [makeResource({ name: image, startTime: entry.requestStart - 5, ...entry })] : [],
      }),
    ],
  });
const partsOf = (snapshot: Snapshot) =>
  (['firstByteMs', 'lcpResourceDelayMs', 'lcpResourceMs', 'lcpRenderDelayMs'] as const).map((metric) =>
    Number(readMetric(snapshot, metric)),
  );
const firstByteMs = Number(readMetric(snapshotOf(null, null), 'firstByteMs'));

test('the parts are those of web-vitals, and add up to the paint', () => {
  const parts = partsOf(snapshotOf(image, { requestStart: 400, responseEnd: 700 }));
  expect(parts).toEqual([firstByteMs, 400 - firstByteMs, 300, 200]);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(900);
});

test('text has no resource, and neither has an image within the page', () => {
  for (const url of [null, 'data:image/png;base64,AAAA'])
    expect(partsOf(snapshotOf(url, null))).toEqual([firstByteMs, 0, 0, 900 - firstByteMs]);
});

test('an image that was requested before the first byte, or ended after its paint, has no negative part', () => {
  expect(partsOf(snapshotOf(image, { requestStart: firstByteMs - 10, responseEnd: 1200 }))).toEqual([
    firstByteMs,
    0,
    900 - firstByteMs,
    0,
  ]);
});

test('is absent where the browser does not report the element, or hides its times', () => {
  const reasonsOf = (snapshot: Snapshot) =>
    deriveReadings(snapshot)
      .filter(({ metric }) => metric.startsWith('lcp'))
      .map((reading) => (reading.kind === 'absent' ? reading.reason : reading.value));
  expect(reasonsOf(snapshotOf(undefined, null))).toEqual(Array(3).fill('unsupported'));
  expect(reasonsOf(snapshotOf(image, null))).toEqual(Array(3).fill('timing-hidden'));
});
