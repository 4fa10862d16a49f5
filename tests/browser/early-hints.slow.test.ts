import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { judgeTime } from '../support/judge-time.ts';
import { nameOriginObjects } from './support/name-origin-objects.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

/** For a busy machine too. */
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

  test('bring the objects that they name before the page, each once, and the latencies stay true', async (context) => {
    await using session = await open({ browser: { trustedKeys: [origin.trustedKey] }, urls: [origin.http2Url] });
    let attempt = 0;
    const measure = async () => {
      attempt++;
      const used: number[] = [];
      const hinted: number[] = [];
      const errors: { what: string; errorMs: number }[] = [];
      /** When the last hinted object of a Visit was requested. */
      const latestMs: number[] = [];
      for (let index = 0; index < visitCount; index++) {
        const visit = `hints-${name}-${attempt}-${index}`;
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
          errors.push({ what: `${metric} in Visit ${visit}`, errorMs: measuredMs - truth[metric]! });
        }
        expect(valueOf(snapshot, 'firstByteMs') - valueOf(snapshot, 'requestStartMs')).toBeGreaterThan(pageDelayMs - 5);
        if (earlyMs.length > 0) latestMs.push(Math.max(...earlyMs));
        hinted.push(valueOf(snapshot, 'hintedObjectCount'));
        used.push(earlyMs.length);
      }
      console.log(
        `${name}: ${latestMs.length} of ${visitCount} Visits used the early hints; all were requested after ${latestMs.map((ms) => Math.round(ms)).join(', ')} ms`,
      );
      return { used, hinted, errors, latestMs };
    };
    await judgeTime(context, {
      measure,
      holds: ({ used, hinted, errors, latestMs }) => {
        expect(errors.filter(({ errorMs }) => Math.abs(errorMs) >= noiseMs)).toEqual([]);
        expect(hinted).toEqual(used);
        expect(used.filter((count) => count !== 0 && count !== 4)).toEqual([]);
        expect(Math.max(...used)).toBe(4);
        expect(Math.min(...latestMs)).toBeLessThan(100);
      },
    });
  });
});
