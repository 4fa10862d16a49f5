import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { startHttpProxy } from '../support/proxies/http-proxy.ts';
import { openAsPerson, openIncognitoAsPerson, pressInOptions } from './support/act-as-person.ts';
import { PersonsBrowser } from './support/join-persons-browser.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';

const targets = (['chrome', 'firefox'] satisfies ExtensionTarget[]).filter(
  (target) => target !== 'firefox' || !isFirefoxLeftOut,
);

let pages: PageServer;
/** All that the server was asked for. */
let requestCount = 0;
/** The paths that were asked for, each with the header of its last request. */
const userAgents = new Map<string, string | undefined>();

beforeAll(async () => {
  pages = await servePages({
    '/': (response) => {
      requestCount++;
      userAgents.set('/', response.req.headers['user-agent']);
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`${noIcon}<script>document.title = innerWidth</script><img src="/image"><p>A page</p>`);
    },
    '/held': () => undefined,
    '/own': (response) => {
      userAgents.set('/own', response.req.headers['user-agent']);
      response.writeHead(200, { 'content-type': 'text/html' }).end(`${noIcon}<title>own</title>`);
    },
    '/cookie': (response) => {
      const cookie = response.req.headers.cookie ?? 'none';
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'seen=1; Max-Age=600' })
        .end(`${noIcon}<title>${cookie}</title>`);
    },
    '/image': (response) => {
      requestCount++;
      userAgents.set('/image', response.req.headers['user-agent']);
      response.writeHead(200, { 'content-type': 'image/png' }).end();
    },
  });
});
afterAll(() => pages[Symbol.asyncDispose]());
beforeEach(() => userAgents.clear());

/** Firefox asks no extension's proxy for addresses of this machine. The proxies of tests take any name for it. */
const nameToProxy = (path: string) => `http://origin.test:${new URL(pages.url).port}${path}`;

async function permitProxies(person: PersonsBrowser): Promise<void> {
  await person.renewLine(() => pressInOptions(person.current, '#permit-proxies'));
}

describe.each(targets)('the extension in the %s of a person', (target) => {
  let person: PersonsBrowser;
  beforeAll(async () => {
    person = await PersonsBrowser.join(target);
  });
  afterAll(() => person[Symbol.asyncDispose]());

  test('obeys what reaches the window of a Visit only, and no Visit after it', async () => {
    expect(person.facts.engines[0]!.settings).toEqual(['blockedRequests', 'userAgentString', 'cache', 'viewport']);
    const url = `${pages.url}/`;
    const browser = {
      userAgentString: 'A user of tomorrow',
      blockedRequests: ['image'],
      viewport: { widthPx: 700, heightPx: 500 },
    };
    const [set] = await person.makePass({ urls: [url], browser });
    expect(set!.outcome.snapshot).toMatchObject({ viewport: browser.viewport, frames: [{ title: '700' }] });
    expect([...userAgents]).toEqual([['/', browser.userAgentString]]);

    const [plain] = await person.makePass({ urls: [url] });
    expect(plain!.outcome.snapshot).toMatchObject({ frames: [{ title: '1366' }] });
    expect([...userAgents.keys()]).toEqual(['/', '/image']);
    for (const userAgent of userAgents.values()) expect(userAgent).toMatch(/^Mozilla/);
  });

  test('asks by a proxy once the person permits it, and only in the Scenario that has one', async () => {
    await using proxy = await startHttpProxy();
    const wishes = { urls: [nameToProxy('/'), nameToProxy('/')], browser: { proxy: proxy.url } };
    await expect(person.makePass(wishes)).rejects.toThrow('let the person at the browser permit it');

    await permitProxies(person);
    expect(person.facts.engines[0]!.settings).toContain('proxy');

    for (const cache of ['cold', 'warm', 'per-pass']) {
      proxy.asked.length = 0;
      requestCount = 0;
      const proxied = await person.makePass({ ...wishes, pageLoad: { cache } });
      expect(proxied.filter(({ outcome }) => outcome.status !== 'ok')).toEqual([]);
      expect(new Set(proxy.asked)).toEqual(new Set([new URL(nameToProxy('/')).host]));
      // None came but by the proxy.
      expect(proxy.asked).toHaveLength(requestCount);

      const { length } = proxy.asked;
      const [direct] = await person.makePass({ urls: [`${pages.url}/`], pageLoad: { cache } });
      expect(direct!.outcome.status).toBe('ok');
      await openAsPerson(person.current, { url: `${pages.url}/own`, title: 'own' });
      expect(proxy.asked).toHaveLength(length);
    }
  });

  test('asks nobody where its proxy is gone', async () => {
    const gone = await startHttpProxy();
    await gone[Symbol.asyncDispose]();
    const [visit] = await person.makePass({ urls: [nameToProxy('/')], browser: { proxy: gone.url } });
    expect(visit!.outcome).toMatchObject({ status: 'failed', code: 'proxy-failure' });
  });

  test('is as the person has it after the browser was killed in a Pass', async () => {
    await using proxy = await startHttpProxy();
    const { host } = new URL(nameToProxy('/'));
    const browser = { proxy: proxy.url, userAgentString: 'A user of tomorrow' };
    await person.startPass({ urls: [nameToProxy('/held')], browser, pageLoad: { cache: 'warm' } });
    await expect.poll(() => proxy.asked).toEqual([host]);
    // Chrome has one proxy for all.
    await openAsPerson(person.current, { url: `${pages.url}/own`, title: 'own' });
    expect(proxy.asked.length > 1).toBe(target === 'chrome');

    await person.kill();
    proxy.asked.length = 0;
    userAgents.clear();
    await person.start();
    await openAsPerson(person.current, { url: `${pages.url}/own`, title: 'own' });
    expect(proxy.asked).toEqual([]);
    expect(userAgents.get('/own')).toMatch(/^Mozilla/);
  });

  test('refuses what it cannot undo, and names who can', async () => {
    await expect(person.makePass({ urls: [pages.url], browser: { protocols: ['http/1.1'] } })).rejects.toThrow(
      'ann: protocols is not supported by extension, the engine of "ann": leave it out, or choose an engine that supports it: chrome, firefox, http, or an Agent that starts the browser with the extension',
    );
    expect(userAgents.size).toBe(0);
  });
});

test('no cookie is sent or kept where Chrome has no profile for a Visit, and those of the person stay', async () => {
  await using person = await PersonsBrowser.join('chrome');
  await permitProxies(person);
  await using proxy = await startHttpProxy();
  const url = `${pages.url}/cookie`;
  await openAsPerson(person.current, { url, title: 'none' });
  await openAsPerson(person.current, { url, title: 'seen=1' });
  // Beside it, an incognito window of the extension would not be its own.
  await openIncognitoAsPerson(person.current);
  const visits = await person.makePass({ urls: [url, url], browser: { proxy: proxy.url } });
  for (const { outcome } of visits)
    expect(outcome.snapshot).toMatchObject({ isolation: 'cache-cleared', frames: [{ title: 'none' }] });
  expect(proxy.asked).toHaveLength(2);
  await openAsPerson(person.current, { url, title: 'seen=1' });
  expect(proxy.asked).toHaveLength(2);
});
