import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import type { ConformanceEngine } from './conformance-engines.ts';
import { takeSnapshot, valueOf } from './visit-for-snapshot.ts';

const pageLoad = { restMs: 0, quietMs: 200 };

/** What an engine keeps from one Visit to the next, by the connections and requests that the origin saw. */
export function describeCaching({ name, open }: ConformanceEngine): void {
  describe(`the engine ${name}`, () => {
    let origin: Origin;
    let session: EngineSession;
    beforeAll(async () => {
      origin = await startOrigin();
      session = await open({ pageLoad, browser: { trustedKeys: [origin.trustedKey] } });
    });
    afterAll(async () => {
      await session[Symbol.asyncDispose]();
      await origin.close();
    });

    test('makes every connection of a cold Visit again, the first of them with a full TLS handshake, and finds nothing in a cache', async () => {
      for (const [listener, protocol] of [
        ['https', 'http/1.1'],
        ['http2', 'h2'],
      ] as const) {
        for (let index = 0; index < 2; index++) {
          const visitId = `${name}-cold-${listener}-${index}`;
          const before = new Set(origin.truth.connections().map((connection) => connection.id));
          await takeSnapshot(session, `${origin[`${listener}Url`]}/images/10?visit=${visitId}`);

          const requests = origin.truth.requests(visitId);
          expect(requests).toHaveLength(11);
          expect(requests.filter((request) => before.has(request.connectionId))).toEqual([]);
          // The other connections of the Visit resume the session of this one, as a user's would.
          expect(requests.find((request) => request.counts === 'base')).toMatchObject({
            protocol,
            tls: { isSessionReused: false },
          });
        }
      }
    });

    test('begins each Pass with nothing and keeps connections and cache within it, where they last per Pass', async () => {
      for (const pass of [1, 2]) {
        await using session = await open({
          pageLoad: { ...pageLoad, cache: 'per-pass' },
          browser: { trustedKeys: [origin.trustedKey] },
        });
        const visitId = `${name}-per-pass-${pass}`;
        const url = `${origin.http2Url}/images/10?visit=${visitId}`;
        const before = new Set(origin.truth.connections().map((connection) => connection.id));
        await takeSnapshot(session, url);
        const first = origin.truth.requests(visitId);
        expect(first).toHaveLength(11);
        expect(first.filter((request) => before.has(request.connectionId))).toEqual([]);
        const kept = connectionsSince(origin, before);
        await takeSnapshot(session, url);
        const second = origin.truth.requests(visitId).slice(first.length);
        expect(second.map((request) => request.counts)).toEqual(['base']);
        expect(kept).toContain(second[0]!.connectionId);
      }
    });

    test('keeps connections and cache from one warm Visit to the next', async () => {
      await using warmSession = await open({
        pageLoad: { ...pageLoad, cache: 'warm' },
        browser: { trustedKeys: [origin.trustedKey] },
      });
      const before = new Set(origin.truth.connections().map((connection) => connection.id));
      const visitId = `${name}-warm`;
      const url = `${origin.http2Url}/images/10?visit=${visitId}`;
      await takeSnapshot(warmSession, url);
      const first = origin.truth.requests(visitId);
      const kept = connectionsSince(origin, before);
      const warm = await takeSnapshot(warmSession, url);
      const second = origin.truth.requests(visitId).slice(first.length);

      expect(valueOf(warm, 'objectCount')).toBe(11);
      expect(second.map((request) => request.counts)).toEqual(['base']);
      expect(kept).toContain(second[0]!.connectionId);
      expect(warm.requests.filter((request) => request.fromCache)).toHaveLength(10);
    });
  });
}

/** Firefox may open two at once, and use either later. */
function connectionsSince(origin: Origin, before: ReadonlySet<unknown>) {
  return origin.truth
    .connections()
    .map((connection) => connection.id)
    .filter((id) => !before.has(id));
}
