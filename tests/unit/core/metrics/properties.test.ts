import fc from 'fast-check';
import { expect, test } from 'vitest';
import { metricIds, deriveReadings } from '#core/metrics/index.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { makeFrame, makeNeed, makeRequest, makeResource, makeSnapshot, pageUrl } from './support/snapshot-parts.ts';
import { readMetric } from './support/read-metric.ts';

const objects = fc.array(
  fc.record({
    startMs: fc.integer({ min: 1, max: 2000 }),
    durationMs: fc.integer({ min: 1, max: 5000 }),
    isNeeded: fc.boolean(),
    isInFlight: fc.boolean(),
  }),
  { maxLength: 20 },
);

/** A page of images, seen by the probe, the engine, or both. */
const pages = fc.tuple(objects, fc.boolean(), fc.boolean()).map(([images, isSeenByProbe, isSeenByEngine]) => {
  const described = images.map(({ isInFlight, ...image }, index) => ({
    ...image,
    isInFlight: isInFlight && isSeenByEngine,
    url: `${pageUrl}${index}.jpg`,
  }));
  const seen = isSeenByProbe ? described.filter((image) => !image.isInFlight) : [];
  return makeSnapshot({
    settled: !described.some((image) => image.isInFlight),
    frames: [
      makeFrame({
        resources: seen.map(({ url, startMs, durationMs }) =>
          makeResource({ name: url, startTime: startMs, responseEnd: startMs + durationMs }),
        ),
        viewportNeeds: described.filter((image) => image.isNeeded).map(({ url }) => makeNeed({ url })),
      }),
    ],
    requests: isSeenByEngine
      ? described.map(({ url, startMs, durationMs, isInFlight }) =>
          makeRequest({ url, startMs, endMs: isInFlight ? null : startMs + durationMs }),
        )
      : [],
  });
});

test('every page has one Reading of each metric, in the order of the catalogue', () => {
  fc.assert(
    fc.property(pages, (page) => {
      expect(deriveReadings(page).map((reading) => reading.metric)).toEqual(metricIds);
    }),
  );
});

test('base ≤ viewport ≤ total, wherever they were reached; a total that was reached has a viewport that was', () => {
  fc.assert(
    fc.property(pages, (page) => {
      const [baseMs, viewportMs, totalMs] = (['baseMs', 'viewportMs', 'totalMs'] as const).map((metric) =>
        readMetric(page, metric),
      );
      if (typeof viewportMs === 'number') expect(viewportMs).toBeGreaterThanOrEqual(Number(baseMs));
      if (typeof totalMs !== 'number') return;
      expect(viewportMs).toBeTypeOf('number');
      expect(totalMs).toBeGreaterThanOrEqual(Number(viewportMs));
    }),
  );
});

test('a request that does not count changes no Reading, whenever it began and however it ended', () => {
  const uncountedTypes: NetworkRequest['type'][] = [
    'event-source',
    'web-socket',
    'ping',
    'media',
    'prefetch',
    'preflight',
    'manifest',
    'icon',
  ];
  const uncounted = fc.record({
    type: fc.constantFrom(...uncountedTypes),
    startMs: fc.integer({ min: 0, max: 5000 }),
    endMs: fc.option(fc.integer({ min: 5000, max: 9000 })),
  });
  fc.assert(
    fc.property(pages, uncounted, (page, request) => {
      fc.pre(page.requests.length > 0);
      const more = { ...page, requests: [...page.requests, makeRequest({ url: `${pageUrl}uncounted`, ...request })] };
      expect(deriveReadings(more)).toEqual(deriveReadings(page));
    }),
  );
});

test('the order in which frames report entries, and the engine requests, does not matter', () => {
  fc.assert(
    fc.property(pages, (page) => {
      const reversed = {
        ...page,
        requests: page.requests.toReversed(),
        frames: page.frames.map((frame) => ({ ...frame, resources: frame.resources.toReversed() })),
      };
      expect(deriveReadings(reversed)).toEqual(deriveReadings(page));
    }),
  );
});
