import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority } from '#testbed/origin/certificates/certificate-authority.ts';
import { issueCertificate } from '#testbed/origin/certificates/issue-certificate.ts';
import { startOrigin, type Origin, hashPublicKey } from '#testbed/origin/start-origin.ts';
import { startHttpProxy } from '#tests/support/proxies/http-proxy.ts';
import { startSocksProxy } from '#tests/support/proxies/socks-proxy.ts';
import { openSession, type SessionOptions } from './support/open-session.ts';
import { noIcon, sendPixel, servePages } from './support/serve-pages.ts';
import { takeSnapshot, visit } from './support/visit-for-snapshot.ts';

let origin: Origin;
beforeAll(async () => {
  origin = await startOrigin();
});
afterAll(() => origin.close());

const quick = { restMs: 0, quietMs: 100 };

function openQuickly(browser: NonNullable<SessionOptions['browser']>) {
  return openSession({ pageLoad: quick, browser });
}

/** The origin under a name that only a proxy knows. */
function asOrigin(url: string): string {
  return url.replace('127.0.0.1', 'origin.test');
}

describe('all requests go by', () => {
  test('an HTTP proxy: plain ones to it, the others through it', async () => {
    await using proxy = await startHttpProxy();
    await using session = await openQuickly({ proxy: proxy.url, trustedKeys: [origin.trustedKey] });
    for (const url of [origin.httpUrl, origin.httpsUrl])
      await takeSnapshot(session, asOrigin(`${url}/images/2?visit=http-proxy`));
    expect(origin.truth.requests('http-proxy')).toHaveLength(6);
    // Nothing else: the browser runs no errands of its own.
    expect(new Set(proxy.asked)).toEqual(
      new Set([origin.httpUrl, origin.httpsUrl].map((url) => new URL(asOrigin(url)).host)),
    );
  });

  test('a proxy that is itself spoken to by TLS', async () => {
    const nowEpochMs = Date.now();
    const authority = await createAuthority(nowEpochMs);
    await using proxy = await startHttpProxy(await issueCertificate(authority, { hosts: ['127.0.0.1'], nowEpochMs }));
    await using session = await openQuickly({ proxy: proxy.url, trustedKeys: [hashPublicKey(authority.certificate)] });
    await takeSnapshot(session, asOrigin(`${origin.httpUrl}/images/1?visit=https-proxy`));
    expect(origin.truth.requests('https-proxy')).toHaveLength(2);
    expect(proxy.asked).toContain(new URL(asOrigin(origin.httpUrl)).host);
  });

  test('a SOCKS proxy, which looks the names up', async () => {
    await using proxy = await startSocksProxy();
    await using session = await openQuickly({ proxy: proxy.url });
    await takeSnapshot(session, asOrigin(`${origin.httpUrl}/images/1?visit=socks`));
    expect(origin.truth.requests('socks')).toHaveLength(2);
    expect(proxy.asked).toContain(new URL(asOrigin(origin.httpUrl)).host);
  });

  test('the proxy that a script chooses for each address', async () => {
    await using one = await startHttpProxy();
    await using other = await startSocksProxy();
    const pac = `function FindProxyForURL(url, host) {
      if (host === 'one.origin.test') return 'PROXY ${new URL(one.url).host}';
      return 'SOCKS5 ${other.url.slice('socks5://'.length)}'; // 对
    }`;
    await using session = await openQuickly({ pac });
    const { port } = new URL(origin.httpUrl);
    for (const name of ['one', 'two'])
      await takeSnapshot(session, `http://${name}.origin.test:${port}/images/1?visit=pac-${name}`);
    expect(new Set(one.asked)).toEqual(new Set([`one.origin.test:${port}`]));
    expect(new Set(other.asked)).toEqual(new Set([`two.origin.test:${port}`]));
  });
});

test.each([
  [['http/1.1'] as const, 'http/1.1'],
  [['http/1.1', 'h2'] as const, 'h2'],
  [['h2'] as const, 'h2'],
])('where %j may be spoken, an origin that has both is spoken to by %s', async (protocols, spoken) => {
  await using session = await openQuickly({ protocols: [...protocols], trustedKeys: [origin.trustedKey] });
  const visitId = `protocol-${protocols.join('-').replaceAll('/', '')}`;
  await takeSnapshot(session, `${origin.http2Url}/images/2?visit=${visitId}`);
  expect(origin.truth.requests(visitId).map(({ protocol }) => protocol)).toEqual([spoken, spoken, spoken]);
});

test('where HTTP/2 is the only choice, a page that comes by HTTP/1.1 is a failed Visit', async () => {
  await using session = await openQuickly({ protocols: ['h2'], trustedKeys: [origin.trustedKey] });
  expect(await visit(session, `${origin.httpsUrl}/images/2`)).toMatchObject({
    status: 'failed',
    code: 'protocol-not-used',
    detail: `3 of 3 objects did not come by h2: ${origin.httpsUrl}/images/2 came by http/1.1`,
  });
});

test('images that the browser must not load are not waited for', async () => {
  await using session = await openQuickly({ flags: ['--blink-settings=imagesEnabled=false'] });
  const snapshot = await takeSnapshot(session, `${origin.httpUrl}/images/4?visit=no-images`);
  expect(snapshot.settled).toBe(true);
  expect(origin.truth.requests('no-images')).toHaveLength(1);
});

test('every request of page, frames and workers has the user agent string, and none the hints of another', async () => {
  const requests: { path: string; agent: string | undefined; hints: string[] }[] = [];
  const note = (text: string, type: string) => (response: ServerResponse) => {
    const { url = '', headers } = response.req;
    requests.push({
      path: url.split('?')[0]!,
      agent: headers['user-agent'],
      hints: Object.keys(headers).filter((name) => name.startsWith('sec-ch-ua')),
    });
    response.writeHead(200, { 'content-type': type }).end(text);
  };
  const heard: string[] = [];
  const hear = (response: ServerResponse) => {
    heard.push(new URL(response.req.url!, 'http://localhost').searchParams.get('heard')!);
    sendPixel(response);
  };
  const report = `fetch('/hear?heard=' + encodeURIComponent(navigator.userAgent))`;
  await using server = await servePages({
    '/': note(
      `${noIcon}<script>new Worker('/worker.js'); new SharedWorker('/shared.js'); ${report}</script><iframe src="/same"></iframe><iframe id=other></iframe>
      <script>other.src = location.href.replace('127.0.0.1', 'localhost') + 'other'</script>`,
      'text/html',
    ),
    '/same': note(`<script>${report}</script>`, 'text/html'),
    '/other': note(`<script>${report}</script>`, 'text/html'),
    '/worker.js': note(report, 'text/javascript'),
    '/shared.js': note('', 'text/javascript'),
    '/hear': hear,
  });
  await using session = await openQuickly({ userAgentString: 'Palm/1.0 (a test)' });
  expect((await takeSnapshot(session, server.url)).settled).toBe(true);
  expect(requests.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/', '/same', '/other', '/worker.js', '/shared.js']),
  );
  expect(requests.filter(({ agent, hints }) => agent !== 'Palm/1.0 (a test)' || hints.length > 0)).toEqual([]);
  expect(heard.length).toBeGreaterThanOrEqual(4);
  expect(new Set(heard)).toEqual(new Set(['Palm/1.0 (a test)']));
});

test('viewport and device scale are those of the Scenario: media queries, srcset and frames see them, and the Snapshot reports them', async () => {
  await using server = await servePages({
    '/': `${noIcon}<meta name=viewport content="width=device-width"><style>@media (width: 390px) { body { background: url(/narrow.png) } }</style>
      <img srcset="/1x.png 1x, /2x.png 2x, /3x.png 3x"><iframe id=other></iframe><script>other.src = location.href.replace('127.0.0.1', 'localhost') + 'other'</script>`,
    '/other': '<img srcset="/frame-1x.png 1x, /frame-3x.png 3x">',
    ...Object.fromEntries(
      ['narrow', '1x', '2x', '3x', 'frame-1x', 'frame-3x'].map((name) => [`/${name}.png`, sendPixel]),
    ),
  });
  await using session = await openQuickly({ viewport: { widthPx: 390, heightPx: 844 }, deviceScaleRatio: 3 });
  const snapshot = await takeSnapshot(session, server.url);
  expect(snapshot.viewport).toEqual({ widthPx: 390, heightPx: 844 });
  const images = snapshot.requests.filter(({ type }) => type === 'image').map(({ url }) => new URL(url).pathname);
  expect(images.sort()).toEqual(['/3x.png', '/frame-3x.png', '/narrow.png']);
});
