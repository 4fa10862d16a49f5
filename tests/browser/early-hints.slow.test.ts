import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-of.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { nameOriginObjects } from './support/name-origin-objects.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

/** As in conformance.test.ts. */
const noiseMs = 1000;
const pageDelayMs = 1000;
const visitCount = 4;

const engines = [
  { name: 'chrome', open: openSession },
  ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }]),
];

describe.each(engines)('early hints in $name', ({ name, open }) => {
  let origin: Origin;
  beforeAll(async () => {
    origin = await startOrigin({});
  });
  afterAll(() => origin.close());

  test('bring the objects that they name before the page, each once, and the latencies stay true', async () => {
    await using session = await open({ browser: { trustedKeys: [origin.trustedKey] }, urls: [origin.http2Url] });
    const used: number[] = [];
    /** When the last hinted object of a Visit was requested. */
    const latestMs: number[] = [];
    for (let index = 0; index < visitCount; index++) {
      const visit = `hints-${name}-${index}`;
      const query = `earlyHints=50&pageDelayMs=${pageDelayMs}&visit=${visit}`;
      const snapshot = await takeSnapshot(session, `${origin.http2Url}/images/8?${query}`);
      const truth = truthOf(origin.truth, visit);
      const requests = origin.truth.requests(visit);
      const earlyMs = requests
        .filter(({ counts }) => counts !== 'base')
        .map(({ arrivedEpochMs }) => arrivedEpochMs - truth.firstRequestEpochMs)
        .filter((ms) => ms < pageDelayMs);

      expect(requests.map(({ object }) => object).sort()).toEqual([...truth.totalObjects, null].sort());
      expect(nameOriginObjects(findCountedObjects(snapshot))).toEqual(truth.totalObjects);
      for (const metric of ['baseMs', 'viewportMs', 'totalMs'] as const) {
        const measuredMs = valueOf(snapshot, metric) - valueOf(snapshot, 'requestStartMs');
        expect(Math.abs(measuredMs - truth[metric]!), `error of ${metric} in Visit ${visit}`).toBeLessThan(noiseMs);
      }
      expect(valueOf(snapshot, 'firstByteMs') - valueOf(snapshot, 'requestStartMs')).toBeGreaterThan(pageDelayMs - 5);
      expect([0, 4]).toContain(earlyMs.length);
      if (earlyMs.length > 0) latestMs.push(Math.max(...earlyMs));
      expect(valueOf(snapshot, 'hintedObjectCount')).toBe(earlyMs.length);
      used.push(earlyMs.length);
    }
    console.log(
      `${name}: ${latestMs.length} of ${visitCount} Visits used the early hints; all were requested after ${latestMs.map((ms) => Math.round(ms)).join(', ')} ms`,
    );
    expect(Math.max(...used)).toBe(4);
    // A busy machine makes requests late, never early.
    expect(Math.min(...latestMs)).toBeLessThan(100);
  });
});
