import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { startOrigin, type Origin, hashPublicKey } from '#testbed/origin/start-origin.ts';
import { startHttpProxy } from '#tests/support/proxies/http-proxy.ts';
import { startSocksProxy } from '#tests/support/proxies/socks-proxy.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openFirefoxSession } from './support/open-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';
import { takeSnapshot, visit } from './support/visit-for-snapshot.ts';

const pageLoad = { restMs: 0, quietMs: 100 };
const firefoxTest = test.skipIf(isFirefoxLeftOut);

let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
});

firefoxTest('connections, protocols, user agent string, viewport and scale are as the Scenario says', async () => {
  let userAgent: string | undefined;
  await using server = await servePages({
    '/': (response) => {
      userAgent = response.req.headers['user-agent'];
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`${noIcon}<script>document.title = [innerWidth, innerHeight, devicePixelRatio].join()</script><p>A page`);
    },
  });
  const browser = {
    trustedKeys: [origin.trustedKey],
    connectionsPerOrigin: 2,
    protocols: ['http/1.1' as const],
    userAgentString: 'A user of tomorrow',
    viewport: { widthPx: 500, heightPx: 400 },
    deviceScaleRatio: 2,
  };
  await using session = await openFirefoxSession({ pageLoad, browser });

  const page = await takeSnapshot(session, server.url);
  expect(page.frames[0]!.title).toBe('500,400,2');
  expect(userAgent).toBe('A user of tomorrow');

  await takeSnapshot(session, `${origin.http2Url}/images/10?visit=two&delayMs=20`);
  const requests = origin.truth.requests('two');
  expect(requests).toHaveLength(11);
  expect(new Set(requests.map((request) => request.protocol))).toEqual(new Set(['http/1.1']));
  const connections = new Set(requests.map((request) => request.connectionId));
  expect(connections.size).toBe(2);
});

firefoxTest('a preference of the Scenario is set', async () => {
  await using session = await openFirefoxSession({ pageLoad, browser: { prefs: { 'permissions.default.image': 2 } } });
  const snapshot = await takeSnapshot(session, `${origin.httpUrl}/images/3?visit=without-images`);
  expect(origin.truth.requests('without-images')).toHaveLength(1);
  expect(findCountedObjects(snapshot).filter((object) => !object.failed)).toHaveLength(1);
});

firefoxTest(
  'a proxy, and a script that chooses one, are used for this machine too, and see only the page',
  async () => {
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(200, { 'content-type': 'text/html' }).end(`${noIcon}<p>By the proxy`);
    });
    // What the browser would ask its maker for by itself.
    proxy.on('connect', (request, socket) => {
      asked.push(request.url!);
      socket.destroy();
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    try {
      const { port } = proxy.address() as AddressInfo;
      const pac = `function FindProxyForURL(url, host) { return 'PROXY 127.0.0.1:${port}'; }`;
      for (const browser of [{ proxy: `http://127.0.0.1:${port}` }, { pac }]) {
        await using session = await openFirefoxSession({ pageLoad, browser });
        expect(await visit(session, `${origin.httpUrl}/images/1`)).toMatchObject({ status: 'ok' });
      }
      expect(asked).toEqual([`${origin.httpUrl}/images/1`, `${origin.httpUrl}/images/1`]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  },
);

firefoxTest('all requests go by a SOCKS proxy, which looks the names up', async () => {
  await using proxy = await startSocksProxy();
  await using session = await openFirefoxSession({ pageLoad, browser: { proxy: proxy.url } });
  const { port } = new URL(origin.httpUrl);
  await takeSnapshot(session, `http://origin.test:${port}/images/1?visit=socks`);
  expect(origin.truth.requests('socks')).toHaveLength(2);
  expect(new Set(proxy.asked)).toEqual(new Set([`origin.test:${port}`]));
});

firefoxTest('all requests go by a proxy that is itself spoken to by TLS', async () => {
  const nowEpochMs = Date.now();
  const authority = await createAuthority(nowEpochMs);
  await using proxy = await startHttpProxy(await issueCertificate(authority, { hosts: ['127.0.0.1'], nowEpochMs }));
  await using session = await openFirefoxSession({
    pageLoad,
    browser: { proxy: proxy.url, trustedKeys: [hashPublicKey(authority.certificate)] },
  });
  const { port } = new URL(origin.httpUrl);
  await takeSnapshot(session, `http://origin.test:${port}/images/1?visit=tls-proxy`);
  expect(origin.truth.requests('tls-proxy')).toHaveLength(2);
  expect(new Set(proxy.asked)).toEqual(new Set([`origin.test:${port}`]));
});

firefoxTest('trusted keys let through what they signed, and nothing else', async () => {
  await using other = await startOrigin();
  await using session = await openFirefoxSession({ pageLoad, browser: { trustedKeys: [origin.trustedKey] } });
  expect(await visit(session, `${origin.httpsUrl}/images/1`)).toMatchObject({ status: 'ok' });
  expect(await visit(session, `${other.httpsUrl}/images/1`)).toMatchObject({ status: 'failed', code: 'tls-failure' });
});

firefoxTest('a cold Visit leaves no connection open for the next one to end', async () => {
  await using server = await startOrigin();
  await using session = await openFirefoxSession({ pageLoad });
  // Images that take a while are asked for on connections of their own; by those that come at once Firefox may use one for all.
  await takeSnapshot(session, `${server.httpUrl}/images/10?visit=cold&delayMs=50`);
  expect(server.truth.connections().length).toBeGreaterThan(1);
  await expect
    .poll(() => server.truth.connections().filter((connection) => connection.closedEpochMs === null), {
      timeout: 20_000,
    })
    .toEqual([]);
});

firefoxTest(
  'a page may open windows, ask for files, show dialogs and be malformed: it loads, and the next Visit is clean',
  async () => {
    const seen = { hasStayed: false };
    await using server = await servePages({
      '/': `${noIcon}<p>A page`,
      '/windows': `${noIcon}<script>open('/'); addEventListener('load', () => open('/', '_blank', 'popup'))</script><p>A page`,
      '/files': `${noIcon}<iframe src=/file></iframe><p>A page`,
      '/file': (response) =>
        void response
          .writeHead(200, {
            'content-type': 'application/octet-stream',
            'content-disposition': 'attachment; filename=a.bin',
          })
          .end('a'),
      '/dialogs': `${noIcon}<script>alert(1); confirm(2); prompt(3); addEventListener('beforeunload', (event) => event.preventDefault())</script><p>A page`,
      // It does not settle before it has closed.
      '/closes': `${noIcon}<img src=/never><script>
      addEventListener('DOMContentLoaded', () => {
        close();
        setTimeout(() => fetch('/stayed'), 2000);
      });
    </script><p>A page`,
      '/stayed': (response) => {
        seen.hasStayed = true;
        response.end();
      },
      '/never': () => undefined,
      '/malformed': `<table><p><b></table></p></html><!-- <script>${noIcon}<img src="//`,
    });
    await using session = await openFirefoxSession({ pageLoad });
    for (const path of ['/windows', '/files', '/dialogs', '/malformed']) {
      expect(await visit(session, `${server.url}${path}`), path).toMatchObject({
        status: 'ok',
        snapshot: { settled: true },
      });
      const next = await takeSnapshot(session, server.url);
      expect(next.requests.map((request) => request.url)).toEqual([`${server.url}/`]);
    }
    // Firefox lets a page close a tab that has shown nothing else, or else refuses. A page that stays never settles.
    const closes = await visit(session, `${server.url}/closes`);
    expect(closes).toMatchObject(
      seen.hasStayed
        ? { status: 'ok', snapshot: { settled: false } }
        : { status: 'failed', code: 'unsupported-content' },
    );
    expect(await visit(session, server.url)).toMatchObject({ status: 'ok' });
  },
);
