import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { findViewportObjects } from '#core/metrics/find-viewport-objects.ts';
import { countHttpVersions } from '#controller/visits/snapshot-columns.ts';
import { hardObjects } from '#testbed/origin/pages/hard-cases/all-hard-cases.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { truthOf } from '#testbed/origin/truth-log.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { openExtensionSession } from './support/open-extension-session.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { hasCaddy } from './support/has-caddy.ts';
import { nameOriginObjects } from './support/name-origin-objects.ts';
import { openFirefoxSession, openSession } from './support/open-session.ts';
import { takeSnapshot, valueOf, visit } from './support/visit-for-snapshot.ts';

/** As in conformance-accuracy.slow.test.ts, but for a busy machine. */
const noiseMs = 1000;
const visitCount = 2;
const neverAskedFor = 'lazy-image-far-below';

const engines = [
  { name: 'chrome', open: openSession },
  ...(isFirefoxLeftOut ? [] : [{ name: 'firefox', open: openFirefoxSession }]),
];

const objectsThat = (isWanted: (counts: string) => boolean) =>
  [...hardObjects]
    .filter(([object, { counts }]) => object !== neverAskedFor && isWanted(counts))
    .map(([object]) => object)
    .sort();

describe.skipIf(!hasCaddy).each(engines)('held to HTTP/3, $name', ({ name, open }) => {
  let origin: Origin;
  let urls: string[];
  beforeAll(async () => {
    origin = await startOrigin({ http3: true });
    urls = [origin.urls.front!, origin.urls['front-cross-origin']!];
  });
  afterAll(() => origin.close());
  const browser = () => ({ protocols: ['h3' as const], trustedKeys: [origin.trustedKey] });

  test('gets every object of the page of hard cases by HTTP/3, exactly those, about when the origin saw them', async (context) => {
    await using session = await open({ browser: browser(), urls });
    let attempts = 0;
    const measure = async () => {
      const attempt = attempts++;
      const errors: { what: string; errorMs: number }[] = [];
      for (let index = 0; index < visitCount; index++) {
        const visitId = `${name}-h3-${attempt}-${index}`;
        const snapshot = await takeSnapshot(session, `${origin.urls.front}/hard-cases?visit=${visitId}`);
        const truth = truthOf(origin.truth, visitId);
        const requests = origin.truth.requests(visitId);

        expect(new Set(requests.map(({ protocol }) => protocol))).toEqual(new Set(['h3']));
        expect(Object.keys(countHttpVersions(snapshot))).toEqual(['h3']);
        // A cold Visit makes its connections again.
        const before = origin.truth.requests().filter(({ visit: id }) => id !== null && id !== visitId);
        const used = new Set(before.map(({ connectionId }) => connectionId));
        expect(requests.filter(({ connectionId }) => used.has(connectionId))).toEqual([]);
        expect(snapshot.settled).toBe(true);
        expect(truth.totalObjects, 'what the origin was asked for').toEqual(objectsThat((counts) => counts !== 'none'));
        expect(nameOriginObjects(findCountedObjects(snapshot))).toEqual(truth.totalObjects);
        expect(nameOriginObjects(findViewportObjects(snapshot) ?? [])).toEqual(
          objectsThat((counts) => counts === 'viewport'),
        );
        for (const metric of ['baseMs', 'viewportMs', 'totalMs'] as const) {
          const measuredMs = valueOf(snapshot, metric) - valueOf(snapshot, 'requestStartMs');
          errors.push({ what: `${metric} in Visit ${visitId}`, errorMs: measuredMs - truth[metric]! });
        }
      }
      return errors;
    };
    await judgeTime(context, {
      measure,
      holds: (errors) => expect(errors.filter(({ errorMs }) => Math.abs(errorMs) >= noiseMs)).toEqual([]),
      limits: roomyLimits,
    });
  });

  /** Chrome takes a server that does not offer HTTP/3 for one without priorities, and asks it for 6 images at a time. */
  test('asks for all images of a page at once', async (context) => {
    await using session = await open({ browser: browser(), urls });
    const [delayMs, images] = [2_000, 40];
    let attempts = 0;
    await judgeTime(context, {
      measure: async () => {
        const visitId = `${name}-at-once-${attempts++}`;
        await takeSnapshot(session, `${origin.urls.front}/images/${images}?delayMs=${delayMs}&visit=${visitId}`);
        const askedEpochMs = origin.truth
          .requests(visitId)
          .filter(({ object }) => object?.startsWith('image-') === true)
          .map(({ arrivedEpochMs }) => arrivedEpochMs);
        expect(askedEpochMs).toHaveLength(images);
        return Math.max(...askedEpochMs) - Math.min(...askedEpochMs);
      },
      holds: (withinMs) => expect(withinMs).toBeLessThan(delayMs),
      limits: roomyLimits,
    });
  });

  /** Chrome takes the offer only from servers whose certificates are public, so not from this one. */
  test('with all versions allowed, is found by the first answer, and used from then on, by Firefox', async () => {
    const all = { protocols: ['http/1.1' as const, 'h2' as const, 'h3' as const], trustedKeys: [origin.trustedKey] };
    await using session = await open({ browser: all, pageLoad: { cache: 'warm', restMs: 0 }, urls });
    const load = async (visit: string) =>
      countHttpVersions(await takeSnapshot(session, `${origin.urls.front}/images/6?visit=${visit}`));
    const [first, second] = [await load(`${name}-first`), await load(`${name}-second`)];
    expect(first.h2).toBeGreaterThanOrEqual(1);
    expect(Object.keys(second)).toEqual([name === 'firefox' ? 'h3' : 'h2']);
  });

  test('fails a Visit to an origin without it, with another key, or without TLS', async () => {
    await using other = await startOrigin({ http3: true });
    const pageLoad = { timeoutMs: 6000, restMs: 0 };
    const wanted = [origin.http2Url, other.urls['front-cross-origin']!];
    await using session = await open({ browser: browser(), pageLoad, urls: wanted });
    for (const url of wanted) {
      const outcome = await visit(session, `${url}/images/1`);
      expect(outcome.status, url).toBe('failed');
      expect(outcome).toMatchObject({
        code: expect.stringMatching(
          /^(protocol-not-used|connection-failed|connection-reset|tls-failure|timeout)$/,
        ) as string,
      });
    }
    // Such as one that no browser loads by HTTP/3.
    const plain = await visit(session, `${origin.httpUrl}/images/1`);
    expect(plain).toMatchObject({ status: 'failed', code: 'protocol-not-used', snapshot: { settled: true } });
  });
});

describe.skipIf(!hasCaddy)('held to HTTP/3, the extension in', () => {
  test.each(isFirefoxLeftOut ? (['chrome'] as const) : (['chrome', 'firefox'] as const))(
    '%s gets a page by it, from its first Visit on',
    async (target) => {
      await using origin = await startOrigin({ http3: true });
      const browser = { protocols: ['h3' as const], trustedKeys: [origin.trustedKey] };
      await using session = await openExtensionSession(target, { browser, urls: [origin.urls.front!] });
      const snapshot = await takeSnapshot(session, `${origin.urls.front}/images/3?visit=${target}`);
      expect(origin.truth.requests(target).map(({ protocol }) => protocol)).toEqual(['h3', 'h3', 'h3', 'h3']);
      expect(countHttpVersions(snapshot)).toEqual({ h3: 4 });
    },
  );
});
