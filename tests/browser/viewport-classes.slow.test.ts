import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { hardObjects } from '#testbed/origin/pages/hard-cases/all-hard-cases.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { nameOriginObjects } from './support/name-origin-objects.ts';
import { openSession } from './support/open-session.ts';
import { takeSnapshot, valueOf } from './support/visit-for-snapshot.ts';

/** The origin holds the object in question back by this much longer than everything else on its page. */
const heldBackMs = 1500;

let origin: Origin;
let session: EngineSession;

beforeAll(async () => {
  origin = await startOrigin();
  session = await openSession({ pageLoad: { restMs: 0, quietMs: 200 } });
});

afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await origin.close();
});

const namesThatCountFor = (counts: string) =>
  [...hardObjects].filter(([, object]) => object.counts === counts).map(([name]) => name);

test.each(namesThatCountFor('viewport'))('the viewport waits for %s', async (name) => {
  const snapshot = await takeSnapshot(session, `${origin.httpUrl}/hard-cases?visit=${name}&last=${name}`);

  expect(nameOriginObjects(findViewportObjects(snapshot) ?? [])).toEqual(truthOf(origin.truth, name).viewportObjects);
  expect(valueOf(snapshot, 'viewportMs')).toBeGreaterThan(heldBackMs);
});

test.each(namesThatCountFor('total').filter((name) => name !== 'lazy-image-far-below'))(
  'the page waits for %s, its viewport does not',
  async (name) => {
    const snapshot = await takeSnapshot(session, `${origin.httpUrl}/hard-cases?visit=${name}&last=${name}`);

    expect(nameOriginObjects(findViewportObjects(snapshot) ?? [])).toEqual(truthOf(origin.truth, name).viewportObjects);
    expect(valueOf(snapshot, 'totalMs')).toBeGreaterThan(heldBackMs);
  },
);
