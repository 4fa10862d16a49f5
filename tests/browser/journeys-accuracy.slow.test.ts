import { describe, expect, test } from 'vitest';
import { judgeTime } from '../support/judge-time.ts';
import { describeJourneys, useJourneys } from './support/describe-journeys.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { valueOf } from './support/visit-for-snapshot.ts';

const chrome = { name: 'chrome', open: openSession };
const elsewhere = isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }];
/** A latency that missed an object, or counted the page before, is further off. */
const toleranceMs = 100;

elsewhere.forEach(describeJourneys);

describe.each([chrome, ...elsewhere])('a journey in $name', ({ open }) => {
  const { followPath } = useJourneys(open);

  test('has for each navigation the latencies that the origin saw', async (context) => {
    const measure = async () => {
      const visits = await followPath(200);
      // From mark to mark: the page is busy for 120 ms, and the waiting adds a frame or two.
      expect(valueOf(visits[1]!.snapshot, 'taskMs')).toBeGreaterThan(119);
      return visits.flatMap(({ visit, snapshot, truth }) => {
        const startMs = valueOf(snapshot, 'requestStartMs');
        return [
          { what: `base of ${visit}`, errorMs: valueOf(snapshot, 'baseMs') - startMs - truth.baseMs! },
          { what: `total of ${visit}`, errorMs: valueOf(snapshot, 'totalMs') - startMs - truth.totalMs! },
        ];
      });
    };
    await judgeTime(context, {
      measure,
      holds: (errors) => expect(errors.filter(({ errorMs }) => Math.abs(errorMs) >= toleranceMs)).toEqual([]),
    });
  });
});
