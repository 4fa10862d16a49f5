import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { PersonsBrowser } from './support/join-persons-browser.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';

const targets = (['chrome', 'firefox'] satisfies ExtensionTarget[]).filter(
  (target) => target !== 'firefox' || !isFirefoxLeftOut,
);

let pages: PageServer;
/** The paths that were asked for, each with the header of its last request. */
const userAgents = new Map<string, string | undefined>();

beforeAll(async () => {
  pages = await servePages({
    '/': (response) => {
      userAgents.set('/', response.req.headers['user-agent']);
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`${noIcon}<script>document.title = innerWidth</script><img src="/image"><p>A page</p>`);
    },
    '/image': (response) => {
      userAgents.set('/image', response.req.headers['user-agent']);
      response.writeHead(200, { 'content-type': 'image/png' }).end();
    },
  });
});
afterAll(() => pages[Symbol.asyncDispose]());
beforeEach(() => userAgents.clear());

describe.each(targets)('the extension in the %s of a person', (target) => {
  let person: PersonsBrowser;
  beforeAll(async () => {
    person = await PersonsBrowser.join(target);
  });
  afterAll(() => person[Symbol.asyncDispose]());

  test('obeys what reaches the window of a Visit only, and no Visit after it', async () => {
    expect(person.facts.engines[0]!.settings).toEqual(['blockedRequests', 'userAgentString', 'viewport']);
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

  test('refuses what it cannot undo, and names who can', async () => {
    await expect(person.makePass({ urls: [pages.url], browser: { protocols: ['http/1.1'] } })).rejects.toThrow(
      'ann: protocols is not supported by extension, the engine of "ann": leave it out, or choose an engine that supports it: chrome, firefox, http, or an Agent that starts the browser with the extension',
    );
    expect(userAgents.size).toBe(0);
  });
});
