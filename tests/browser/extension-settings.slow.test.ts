import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { requestKinds, type RequestKind } from '#core/evaluation/browser/browser-settings.ts';
import { findCountedObjects } from '#core/metrics/find-counted-objects.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { startHttpProxy } from '#tests/support/proxies/http-proxy.ts';
import { startSocksProxy } from '#tests/support/proxies/socks-proxy.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { openExtensionSession } from './support/open-extension-session.ts';
import { noIcon, servePages } from './support/serve-pages.ts';
import { takeSnapshot, visit } from './support/visit-for-snapshot.ts';

const pageLoad = { restMs: 0, quietMs: 100 };
const targets = (['chrome', 'firefox'] satisfies ExtensionTarget[]).filter(
  (target) => target !== 'firefox' || !isFirefoxLeftOut,
);

let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin();
});

afterAll(async () => {
  await origin.close();
});

describe.each(targets)('the extension in a %s that an Agent starts obeys', (target) => {
  test('protocols, user agent string, viewport, scale and trusted keys', async () => {
    let userAgent: string | undefined;
    await using server = await servePages({
      '/': (response) => {
        userAgent = response.req.headers['user-agent'];
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `${noIcon}<script>document.title = [innerWidth, innerHeight, devicePixelRatio].join()</script><p>A page`,
          );
      },
    });
    await using other = await startOrigin();
    const browser = {
      trustedKeys: [origin.trustedKey],
      protocols: ['http/1.1' as const],
      userAgentString: 'A user of tomorrow',
      viewport: { widthPx: 900, heightPx: 700 },
      deviceScaleRatio: 2,
      ...(target === 'firefox' && { connectionsPerOrigin: 2 }),
    };
    await using session = await openExtensionSession(target, { pageLoad, browser });

    const page = await takeSnapshot(session, server.url);
    expect(page.frames[0]!.title).toBe('900,700,2');
    expect(userAgent).toBe('A user of tomorrow');

    await takeSnapshot(session, `${origin.http2Url}/images/10?visit=${target}&delayMs=20`);
    const requests = origin.truth.requests(target);
    expect(requests).toHaveLength(11);
    expect(new Set(requests.map(({ protocol }) => protocol))).toEqual(new Set(['http/1.1']));
    expect(new Set(requests.map(({ connectionId }) => connectionId)).size).toBe(target === 'firefox' ? 2 : 6);
    expect(await visit(session, `${other.httpsUrl}/images/1`)).toMatchObject({ status: 'failed', code: 'tls-failure' });
  });

  // A Firefox without a screen makes windows of any size.
  test.runIf(target === 'chrome')(
    'a small screen: what fits is measured, and what does not is refused with both sizes',
    async () => {
      await using server = await servePages({
        '/': `${noIcon}<script>document.title = [innerWidth, innerHeight].join()</script><p>A page`,
      });
      const flags = ['--screen-info={800x600}'];
      const viewport = { widthPx: 640, heightPx: 400 };
      await using small = await openExtensionSession(target, { pageLoad, browser: { flags, viewport } });
      const page = await takeSnapshot(small, server.url);
      expect(page).toMatchObject({ viewport, frames: [{ title: '640,400' }] });
      await using large = await openExtensionSession(target, { pageLoad, browser: { flags } });
      const outcome = await visit(large, server.url);
      expect(outcome).toMatchObject({ status: 'failed', snapshot: null });
      expect(outcome.status === 'failed' && outcome.detail).toMatch(
        /the viewport of 1366 × 768 pixels does not fit on this screen, whose largest window has [78]\d\d × [456]\d\d pixels/,
      );
    },
  );

  test('blocked requests of a kind, and sends all others', async () => {
    const asked = new Set<string>();
    const answer = (response: ServerResponse, type: string | null, body = '') => {
      asked.add(response.req.url!.slice(1));
      response.writeHead(type === null ? 404 : 200, type === null ? {} : { 'content-type': type }).end(body);
    };
    await using server = await servePages({
      '/': (response) =>
        answer(
          response,
          'text/html',
          `${noIcon}<link rel="stylesheet" href="/stylesheet"><script src="/script"></script><img src="/image"><iframe src="/frame"></iframe>
          <video src="/media"></video><p>A page</p><script>fetch('/fetch')</script>`,
        ),
      '/stylesheet': (response) =>
        answer(response, 'text/css', '@font-face { font-family: x; src: url(/font) } p { font-family: x }'),
      '/script': (response) => answer(response, 'text/javascript', 'document.title = "run"'),
      '/image': (response) => answer(response, 'image/png'),
      '/frame': (response) => answer(response, 'text/html', 'A frame'),
      // Firefox asks for an empty one again and again.
      '/media': (response) => answer(response, null),
      '/fetch': (response) => answer(response, 'text/plain'),
      '/font': (response) => answer(response, 'font/woff2'),
    });
    const kinds: RequestKind[] = [...requestKinds];
    const halves = [kinds.filter((_, index) => index % 2 === 0), kinds.filter((_, index) => index % 2 === 1)];
    for (const blockedRequests of halves) {
      asked.clear();
      await using session = await openExtensionSession(target, { pageLoad, browser: { blockedRequests } });
      await takeSnapshot(session, server.url);
      const sent = kinds.filter((kind) => !blockedRequests.includes(kind));
      // The font is asked for by the style sheet.
      const expected = sent.filter((kind) => kind !== 'font' || sent.includes('stylesheet'));
      expect(asked).toEqual(new Set(['', ...expected]));
    }
  });

  test('its switches and preferences', async () => {
    const browser =
      target === 'chrome'
        ? { flags: ['--blink-settings=imagesEnabled=false'] }
        : { prefs: { 'permissions.default.image': 2 } };
    await using session = await openExtensionSession(target, { pageLoad, browser });
    const name = `without-images-${target}`;
    const snapshot = await takeSnapshot(session, `${origin.httpUrl}/images/3?visit=${name}`);
    expect(origin.truth.requests(name)).toHaveLength(1);
    expect(findCountedObjects(snapshot).filter(({ failed }) => !failed)).toHaveLength(1);
  });

  test.each(['http', 'socks5'])(
    'a proxy of %s, which looks the names up; its own line goes past it',
    async (scheme) => {
      await using proxy = await (scheme === 'http' ? startHttpProxy() : startSocksProxy());
      await using session = await openExtensionSession(target, { pageLoad, browser: { proxy: proxy.url } });
      const { port } = new URL(origin.httpUrl);
      const name = `${scheme}-${target}`;
      await takeSnapshot(session, `http://origin.test:${port}/images/1?visit=${name}`);
      await takeSnapshot(session, `http://127.0.0.1:${port}/images/1?visit=${name}`);
      expect(origin.truth.requests(name)).toHaveLength(4);
      expect(new Set(proxy.asked)).toEqual(new Set([`origin.test:${port}`, `127.0.0.1:${port}`]));
    },
  );

  test('a script that chooses the proxy', async () => {
    await using proxy = await startHttpProxy();
    const pac = `function FindProxyForURL(url, host) { return 'PROXY ${new URL(proxy.url).host}'; }`;
    await using session = await openExtensionSession(target, { pageLoad, browser: { pac } });
    const { port } = new URL(origin.httpUrl);
    const name = `pac-${target}`;
    await takeSnapshot(session, `http://origin.test:${port}/images/1?visit=${name}`);
    expect(origin.truth.requests(name)).toHaveLength(2);
    expect(new Set(proxy.asked)).toEqual(new Set([`origin.test:${port}`]));
  });
});

test('rules for names that lead all hosts elsewhere leave the line of the extension as it is', async () => {
  const flags = [`--host-resolver-rules=MAP * ${new URL(origin.httpUrl).host}`];
  await using session = await openExtensionSession('chrome', { pageLoad, browser: { flags } });
  await takeSnapshot(session, 'http://elsewhere.test/images/1?visit=mapped');
  expect(origin.truth.requests('mapped')).toHaveLength(2);
});
