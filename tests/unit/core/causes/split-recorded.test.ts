import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { causeIds } from '#core/causes/causes.ts';
import { splitLatencies } from '#core/causes/split-latencies.ts';
import { latencyIds } from '#core/metrics/index.ts';
import { measureLatencies } from '#core/metrics/latencies.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { readRecordedVisits } from '../metrics/support/recorded-visits.ts';

describe('every recorded Visit', () => {
  const recorded = readRecordedVisits();
  const { snapshot: hardCases } = z
    .object({ snapshot: SnapshotSchema })
    .parse(JSON.parse(readFileSync(new URL('../metrics/recorded/hard-cases.json', import.meta.url), 'utf8')));
  const visits = [
    ...recorded.map(({ engine, page, cache, snapshot }) => [`${engine}: ${page}, ${cache}`, snapshot] as const),
    ['the page of hard cases', hardCases] as const,
  ];

  test.each(visits)('%s: parts are not negative, and sum to the latency; steps follow each other', (_, snapshot) => {
    const measured = measureLatencies(snapshot);
    const split = splitLatencies(snapshot);
    for (const id of latencyIds) {
      const latency = measured[id];
      if ('reason' in latency) {
        expect(split[id]).toBeNull();
        continue;
      }
      const { parts, path } = split[id]!;
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
      expect(parts.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(latency.value, 9);
      expect([path[0]!.startMs, path.at(-1)!.endMs]).toEqual([0, latency.value]);
      for (const [place, step] of path.slice(1).entries()) expect(step.startMs).toBe(path[place]!.endMs);
    }
  });

  test.each(recorded.filter(({ snapshot }) => snapshot.viewport !== null))(
    '$engine: $page, $cache: at most a twentieth is unexplained',
    ({ snapshot }) => {
      const { parts } = splitLatencies(snapshot).totalMs!;
      const total = parts.reduce((sum, ms) => sum + ms, 0);
      expect(parts[causeIds.indexOf('unexplained')]! / total).toBeLessThanOrEqual(0.05);
    },
  );

  test.each(recorded.filter(({ engine, page }) => engine !== 'chrome' && page.includes('in pieces')))(
    '$engine: $page, $cache: HTML that takes 240 ms to come is received so long',
    ({ snapshot }) => {
      expect(splitLatencies(snapshot).baseMs!.parts[causeIds.indexOf('receive')]).toBeGreaterThan(225);
    },
  );
});
