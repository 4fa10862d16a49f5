import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { conformanceEngines } from './support/conformance-engines.ts';
import { nameOriginObjects } from './support/name-origin-objects.ts';
import { takeSnapshot } from './support/visit-for-snapshot.ts';

/** The least and the largest pages of the papers of 2015 and 2014, in small objects and in large ones; and the most objects that a page may have. */
const pages = [
  ['page/5x100000', 5, 100_000],
  ['page/500x5000', 500, 5_000],
  ['page/25x100000', 25, 100_000],
  ['icons/640', 640, 1_000],
  ['page/1000x200', 1000, 200],
] as const;

let origin: Origin;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.close());

describe.each(conformanceEngines)('the engine $name', ({ name, open, hasViewport }) => {
  let session: EngineSession;
  beforeAll(async () => {
    session = await open({ pageLoad: { quietMs: 250 }, browser: { trustedKeys: [origin.trustedKey] } });
  });
  afterAll(() => session[Symbol.asyncDispose]());

  test.each(pages)('settles on /%s, and finds all of its %i objects of %i bytes', async (path, count, sizeBytes) => {
    const visitId = `${name}-${path.replace('/', '-')}`;
    const snapshot = await takeSnapshot(session, `${origin.http2Url}/${path}?visit=${visitId}`);
    const objects = origin.truth.requests(visitId).filter(({ object }) => object !== null);
    const truth = truthOf(origin.truth, visitId);

    expect(snapshot.settled).toBe(true);
    expect(snapshot.requests.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(objects.map(({ bodyBytes }) => bodyBytes)).toEqual(Array.from({ length: count }, () => sizeBytes));
    expect(new Set(objects.map(({ outcome }) => outcome))).toEqual(new Set(['complete']));
    expect(truth.totalObjects).toHaveLength(count);
    expect(nameOriginObjects(findCountedObjects(snapshot))).toEqual(truth.totalObjects);
    if (hasViewport) expect(nameOriginObjects(findViewportObjects(snapshot) ?? [])).toEqual(truth.viewportObjects);
  });
});
