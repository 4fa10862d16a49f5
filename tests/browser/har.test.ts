import { expect, test } from 'vitest';
import { buildHar } from '#controller/visits/build-har.ts';
import type { HarEntry, HarHeader } from '#core/har/har.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { findHarFaults } from '#tests/support/har/find-har-faults.ts';
import { openSession } from './support/open-session.ts';
import { noIcon, sendPixel, servePages } from './support/serve-pages.ts';
import { takeSnapshot } from './support/visit-for-snapshot.ts';

const visit = { id: '5c7e0d9e-8b1f-4a55-9a3e-111111111111', description: 'A test', clockOffsetMs: 0 };

function listEntries(snapshot: Snapshot): HarEntry[] {
  const har = buildHar(snapshot, { visit, creatorVersion: '1.0' });
  expect(findHarFaults(har)).toEqual([]);
  return har.log.entries;
}

function valueOf(headers: HarHeader[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

test.each(['httpsUrl', 'http2Url'] as const)(
  'the phases in the HAR of a Visit to %s are those of its requests: one that opened a connection says so',
  async (listener) => {
    await using origin = await startOrigin();
    await using session = await openSession({
      pageLoad: { restMs: 0, quietMs: 100 },
      browser: { trustedKeys: [origin.trustedKey] },
    });
    const snapshot = await takeSnapshot(session, `${origin[listener]}/images/12?visit=har`);
    const entries = listEntries(snapshot);

    expect(entries).toHaveLength(13);
    for (const { time, timings, response, request } of entries) {
      const recorded = snapshot.requests.find(({ url }) => url === request.url)!;
      expect(time).toBeCloseTo(recorded.endEpochMs! - recorded.startEpochMs, 2);
      expect(timings.wait).toBeGreaterThanOrEqual(0);
      expect(response).toMatchObject({ status: 200, content: { size: recorded.decodedBytes } });
      expect(request.method).toBe('GET');
    }
    // The browser connects ahead for a document, so that on a busy machine no request waits for it; what a script asks for comes as a surprise.
    await using server = await servePages({
      '/': `${noIcon}<script>new Image().src = '${origin[listener]}/image/1.jpg'</script>`,
    });
    const surprise = listEntries(await takeSnapshot(session, server.url)).find(({ request }) =>
      request.url.endsWith('/image/1.jpg'),
    )!.timings;
    expect(surprise.ssl).toBeGreaterThan(0);
    expect(surprise.connect).toBeGreaterThanOrEqual(surprise.ssl);
    // A browser may open a connection that no request waited for, never the other way round.
    const opened = entries.filter(({ timings }) => timings.connect >= 0);
    const connections = new Set(entries.map(({ connection }) => connection));
    expect(opened.length).toBeLessThanOrEqual(connections.size);
    expect(connections.size).toBeLessThanOrEqual(origin.truth.connections().length);
  },
);

test('headers are in the HAR when they were asked for, as they went over the network, without cookies and keys', async () => {
  await using server = await servePages({
    '/': (response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': ['first=secret', 'second=secret'],
          'x-plain': 'shown',
        })
        .end(
          `${noIcon}<img src="/moved.png"><script>fetch('/data', { headers: { authorization: 'Bearer secret', 'x-asked': 'shown' } })</script>`,
        ),
    '/moved.png': (response) => response.writeHead(302, { location: '/found.png', 'x-hop': 'first' }).end(),
    '/found.png': sendPixel,
    '/data': 'data',
  });
  await using session = await openSession({ pageLoad: { restMs: 0, quietMs: 100 }, recordsHeaders: true });
  const snapshot = await takeSnapshot(session, server.url);
  const entries = listEntries(snapshot);
  const entryOf = (path: string) => entries.find(({ request }) => new URL(request.url).pathname === path)!;

  expect(valueOf(entryOf('/').response.headers, 'x-plain')).toBe('shown');
  expect(valueOf(entryOf('/').request.headers, 'host')).toBe(new URL(server.url).host);
  expect(
    entryOf('/')
      .response.headers.filter(({ name }) => name.toLowerCase() === 'set-cookie')
      .map(({ value }) => value),
  ).toEqual(['[redacted]', '[redacted]']);
  expect(valueOf(entryOf('/data').request.headers, 'x-asked')).toBe('shown');
  expect(valueOf(entryOf('/data').request.headers, 'authorization')).toBe('[redacted]');
  expect(valueOf(entryOf('/found.png').request.headers, 'cookie')).toBe('[redacted]');
  expect(valueOf(entryOf('/moved.png').response.headers, 'x-hop')).toBe('first');
  expect(entryOf('/moved.png').response).toMatchObject({ status: 302, redirectURL: `${server.url}/found.png` });
  expect(valueOf(entryOf('/found.png').response.headers, 'content-type')).toBe('image/png');
  expect(JSON.stringify(snapshot)).not.toContain('secret');
});

test('no header is recorded unless asked for', async () => {
  await using server = await servePages({ '/': `${noIcon}<img src="/a.png">`, '/a.png': sendPixel });
  await using session = await openSession({ pageLoad: { restMs: 0, quietMs: 100 } });
  const { requests } = await takeSnapshot(session, server.url);
  expect(requests.map(({ exchange }) => exchange?.headers)).toEqual([null, null]);
});
