import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLatencies } from '#core/causes/split-latencies.ts';
import { latencyIds } from '#core/metrics/index.ts';
import { measureLatencies } from '#core/metrics/latencies.ts';
import {
  makeFrame,
  makeNeed,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
  startEpochMs,
} from '../metrics/support/snapshot-parts.ts';

const anyMs = fc.oneof(fc.constantFrom(0, -5, 1e13, -1e13, 0.001), fc.double({ min: -1000, max: 5000, noNaN: true }));
const anyPhase = fc.option(fc.tuple(anyMs, anyMs));
const anyUrl = fc.constantFrom(
  pageUrl,
  `${pageUrl}image.jpg`,
  `${pageUrl}app.js`,
  `${pageUrl}style.css`,
  'nowhere',
  'http://other.test/x',
);

/** A request as only a hostile Agent reports it. */
const anyRequest = fc
  .record({
    url: anyUrl,
    id: fc.constantFrom('1', '2', '3', '4'),
    hop: fc.integer({ min: 0, max: 2 }),
    type: fc.constantFrom('document', 'script', 'style-sheet', 'image', 'fetch'),
    isMainDocument: fc.boolean(),
    initiatorUrl: fc.option(anyUrl),
    start: anyMs,
    sent: fc.option(anyMs),
    answer: fc.option(anyMs),
    end: fc.option(anyMs),
    dns: anyPhase,
    connect: anyPhase,
    tls: anyPhase,
    fromCache: fc.boolean(),
    failure: fc.constantFrom(null, 'net::ERR_FAILED'),
  })
  .map(({ start, sent, answer, end, dns, connect, tls, ...rest }) => {
    const instant = (ms: number | null) => (ms === null ? null : Math.max(1, startEpochMs + ms));
    const phase = (of: [number, number] | null) => of && ([instant(of[0])!, instant(of[1])!] as [number, number]);
    return makeRequest({
      ...rest,
      startEpochMs: instant(start)!,
      sentEpochMs: instant(sent),
      responseEpochMs: instant(answer),
      endEpochMs: instant(end),
      exchange: {
        method: 'GET',
        statusText: null,
        mimeType: null,
        serverAddress: null,
        phases: { dns: phase(dns), connect: phase(connect), tls: phase(tls), send: null },
        headers: null,
      },
    });
  });

test('of any Snapshot the split ends, and each part is a number that is not negative', () => {
  fc.assert(
    fc.property(
      fc.array(anyRequest, { maxLength: 12 }),
      fc.array(fc.record({ url: anyUrl, elementEventMs: fc.option(anyMs) }), { maxLength: 4 }),
      fc.array(fc.tuple(anyUrl, anyMs, anyMs, anyMs), { maxLength: 6 }),
      (requests, needs, entries) => {
        const snapshot = makeSnapshot({
          requests,
          frames: [
            makeFrame({
              viewportNeeds: needs.map(({ url, elementEventMs }) => makeNeed({ url, elementEventMs })),
              resources: entries.map(([name, startTime, requestStart, responseEnd]) =>
                makeResource({ name, startTime, requestStart, responseEnd }),
              ),
            }),
          ],
        });
        const measured = measureLatencies(snapshot);
        const split = splitLatencies(snapshot);
        for (const id of latencyIds) {
          const latency = measured[id];
          if ('reason' in latency) continue;
          const { parts } = split[id]!;
          expect(parts.every((ms) => Number.isFinite(ms) && ms >= 0)).toBe(true);
          const sum = parts.reduce((total, ms) => total + ms, 0);
          expect(Math.abs(sum - Math.max(latency.value, 0))).toBeLessThan(1e-6 * Math.max(1, latency.value));
        }
      },
    ),
    { numRuns: 2000 },
  );
});
