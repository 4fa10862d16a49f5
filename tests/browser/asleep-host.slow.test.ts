import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

const asleepMs = 3_600_000;
const engines = [
  { name: 'chrome', open: openSession },
  ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }]),
];

describe.each(engines)('an Agent whose host was asleep for an hour, with $name', ({ name, open }) => {
  let origin: Origin;
  beforeAll(async () => {
    origin = await startOrigin();
    // What a sleep leaves behind: the clock of this process stood still.
    Object.defineProperty(performance, 'timeOrigin', { configurable: true, value: performance.timeOrigin - asleepMs });
  });
  afterAll(async () => {
    Reflect.deleteProperty(performance, 'timeOrigin');
    await origin.close();
  });

  test('takes Snapshots on the clock of the browser', async () => {
    await using session = await open({ pageLoad: { restMs: 0 } });
    const snapshot = await takeSnapshot(session, `${origin.httpUrl}/images/3?visit=asleep-${name}`);
    const [page] = snapshot.frames;
    expect(snapshot.settled).toBe(true);
    expect(snapshot.takenEpochMs).toBeGreaterThan(page!.timeOrigin);
    expect(snapshot.takenEpochMs - page!.timeOrigin).toBeLessThan(asleepMs / 2);
    expect(valueOf(snapshot, 'objectCount')).toBe(4);
  });
});
