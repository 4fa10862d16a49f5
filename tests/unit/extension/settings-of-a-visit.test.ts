import { beforeAll, beforeEach, expect, test } from 'vitest';
import type * as ProxyInChrome from '#extension/background/settings/proxy-in-chrome.ts';
import type * as SetStage from '#extension/background/settings/open-set-stage.ts';
import type * as TabRules from '#extension/background/settings/tab-rules.ts';
import { readProxyAddress } from '#extension/background/settings/proxy-address.ts';
import type { Stage } from '#extension/background/stage/open-stage.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { playBrowser } from './support/played-browser.ts';

interface Rule {
  id: number;
  action?: object;
  condition?: { tabIds: number[]; resourceTypes: string[] };
}

let rules: Rule[];
/** What Chrome's proxy settings were asked. */
let asked: unknown[];
let levelOfControl: string;
let windows: { id: number; incognito: boolean }[];
let onProxyRequest: Set<(details: object) => unknown>;
let tabRules: typeof TabRules;
let setStage: typeof SetStage;
let inChrome: typeof ProxyInChrome;

const viewport = { widthPx: 500, heightPx: 400 };
async function open({ hasContainers = false } = {}): Promise<void> {
  const size = { width: 500, height: 400 };
  await playBrowser({
    runtime: { getManifest: () => ({}), getURL: () => 'data:application/json,null' },
    declarativeNetRequest: {
      getSessionRules: () => Promise.resolve(rules),
      updateSessionRules: (change: { removeRuleIds: number[]; addRules: Rule[] }) => {
        rules = [...rules.filter(({ id }) => !change.removeRuleIds.includes(id)), ...change.addRules];
        return Promise.resolve();
      },
    },
    windows: {
      create: ({ incognito = false }) => {
        windows.push({ id: 10, incognito });
        return Promise.resolve({ id: 10, incognito, tabs: [{ id: 110 }] });
      },
      get: () => Promise.resolve(size),
      getAll: () => Promise.resolve(windows),
      remove: () => Promise.resolve(void asked.push('window closed')),
    },
    tabs: { get: () => Promise.resolve(size), getZoom: () => Promise.resolve(1) },
    browsingData: { removeCache: () => Promise.resolve() },
    extension: { isAllowedIncognitoAccess: () => Promise.resolve(false) },
    storage: {
      session: { get: () => Promise.resolve({}), set: () => Promise.resolve() },
      local: {
        get: (key: string) =>
          Promise.resolve(
            key === 'mayUseProxies'
              ? { mayUseProxies: true }
              : key === 'enrolment'
                ? { enrolment: { controllerUrl: 'http://lab.test:8420', token: 'x', name: 'a' } }
                : {},
          ),
        set: () => Promise.resolve(),
      },
    },
    ...(hasContainers && {
      contextualIdentities: {
        create: () => Promise.resolve({ cookieStoreId: 'own' }),
        remove: () => Promise.resolve(),
      },
      proxy: {
        onRequest: {
          addListener: (listener: (details: object) => unknown) => void onProxyRequest.add(listener),
          removeListener: (listener: (details: object) => unknown) => void onProxyRequest.delete(listener),
        },
      },
    }),
  });
}
const proxySettings = {
  set: (details: object) => Promise.resolve(void asked.push(details)),
  get: () => Promise.resolve({ levelOfControl }),
  clear: ({ scope }: { scope: string }) => Promise.resolve(void asked.push(`cleared ${scope}`)),
};
beforeAll(async () => {
  await open();
  // Chrome's own name for it is read where the module is loaded.
  Object.assign(globalThis, { chrome: { proxy: { settings: proxySettings } } });
  tabRules = await import('#extension/background/settings/tab-rules.ts');
  setStage = await import('#extension/background/settings/open-set-stage.ts');
  inChrome = await import('#extension/background/settings/proxy-in-chrome.ts');
  Reflect.deleteProperty(globalThis, 'chrome');
});
beforeEach(async () => {
  [rules, asked, levelOfControl, windows, onProxyRequest] = [[], [], 'controlled_by_this_extension', [], new Set()];
  await open();
});

test.each([
  ['http://proxy.test', { scheme: 'http', host: 'proxy.test', port: 80 }],
  ['https://proxy.test', { scheme: 'https', host: 'proxy.test', port: 443 }],
  ['socks4://proxy.test', { scheme: 'socks4', host: 'proxy.test', port: 1080 }],
  ['socks5://[2001:db8::1]', { scheme: 'socks5', host: '2001:db8::1', port: 1080 }],
  ['http://192.0.2.1:3128', { scheme: 'http', host: '192.0.2.1', port: 3128 }],
])('the proxy %s is %j', (proxy, address) => {
  expect(readProxyAddress(proxy)).toEqual(address);
});

test('the rules of a Scenario reach the requests of one tab, in place of those before, until they are cleared', async () => {
  rules = [{ id: 1 }, { id: 7 }];
  const words = await tabRules.setTabRules(110, {
    blockedRequests: ['image', 'fetch', 'image'],
    userAgentString: 'Mine/1',
    isWithoutCookies: true,
  });
  expect(words).toEqual([
    'Blocked requests: image, fetch, image',
    'User-Agent header: Mine/1',
    'Cookies: not sent, and not kept',
  ]);
  const all = [
    'font',
    'image',
    'main_frame',
    'media',
    'other',
    'ping',
    'script',
    'stylesheet',
    'sub_frame',
    'xmlhttprequest',
  ];
  const conditionOf = ({ condition }: Rule) => [condition!.tabIds, condition!.resourceTypes.toSorted()];
  expect(rules.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(rules.map(conditionOf)).toEqual([
    [[110], ['image', 'xmlhttprequest']],
    [[110], all],
    [[110], all],
  ]);
  expect(rules.map(({ action }) => action)).toEqual([
    { type: 'block' },
    {
      type: 'modifyHeaders',
      requestHeaders: [{ header: 'user-agent', operation: 'set', value: 'Mine/1' }],
    },
    {
      type: 'modifyHeaders',
      requestHeaders: [{ header: 'cookie', operation: 'remove' }],
      responseHeaders: [{ header: 'set-cookie', operation: 'remove' }],
    },
  ]);
  await tabRules.clearTabRules();
  expect(rules).toEqual([]);
  expect(await tabRules.setTabRules(110, { isWithoutCookies: false })).toEqual([]);
});

const stageIn = (isIncognito: boolean) => ({ isIncognito }) as Stage;

test.each([
  [true, 'incognito_session_only', 'incognito windows'],
  [false, 'regular', 'the whole browser'],
])(
  'in Chrome a proxy is set for incognito windows (%s) or all, but not for the Controller',
  async (isIncognito, scope, where) => {
    const { words, undo } = await inChrome.leadStageInChrome('http://proxy.test:3128', stageIn(isIncognito));
    expect(words).toBe(`Proxy: http://proxy.test:3128, in ${where}`);
    const value = {
      mode: 'fixed_servers',
      rules: {
        singleProxy: { scheme: 'http', host: 'proxy.test', port: 3128 },
        bypassList: ['<-loopback>', 'lab.test:8420'],
      },
    };
    expect(asked).toEqual([{ value, scope }]);
    await undo();
    expect(asked).toEqual([{ value, scope }, `cleared ${scope}`]);
  },
);

test('where another extension has the proxy of Chrome, the Visit is not made, and nothing stays set', async () => {
  levelOfControl = 'controlled_by_other_extensions';
  await expect(inChrome.leadStageInChrome('http://proxy.test:3128', stageIn(false))).rejects.toThrow(
    'is set by another extension or by a policy (controlled_by_other_extensions)',
  );
  expect(asked.at(-1)).toBe('cleared regular');
});

test('after the background died, what it has set in Chrome is undone where there is something to undo', async () => {
  await inChrome.undoProxyOfChrome();
  expect(asked).toEqual(['cleared regular']);
  windows = [{ id: 1, incognito: true }];
  await inChrome.undoProxyOfChrome();
  expect(asked.slice(1)).toEqual(['cleared regular', 'cleared incognito_session_only']);
});

const stageFor = (settings: object, changes: string[][], replay?: { recordedEpochMs: number }) =>
  setStage.openSetStage({
    replay,
    pageLoad: { cache: 'cold', viewport },
    browser: BrowserSettingsSchema.parse(settings),
    kept: null,
    onChanges: (each) => changes.push(each),
  });

test('in Firefox a proxy is for what the window and its container ask alone, and nothing goes around it', async () => {
  await open({ hasContainers: true });
  const changes: string[][] = [];
  const stage = await stageFor({ proxy: 'socks5://proxy.test' }, changes);
  expect(changes).toEqual([['Proxy: socks5://proxy.test, in the window of the Visit']]);
  const [choose] = onProxyRequest;
  const way = [{ type: 'socks', host: 'proxy.test', port: 1080, proxyDNS: true }, null];
  expect(choose!({ tabId: 110 })).toEqual(way);
  expect(choose!({ tabId: -1, cookieStoreId: 'own' })).toEqual(way);
  expect(choose!({ tabId: 5, cookieStoreId: 'default' })).toBeUndefined();
  await stage[Symbol.asyncDispose]();
  expect(onProxyRequest.size).toBe(0);
  expect(changes.at(-1)).toEqual([]);
});

test('all that a Scenario sets is shown to the person, and undone before the window closes', async () => {
  const changes: string[][] = [];
  const stage = await stageFor({ proxy: 'http://proxy.test', userAgentString: 'Mine/1' }, changes);
  expect(changes).toEqual([
    [
      'Cache of this browser: cleared',
      'User-Agent header: Mine/1',
      'Cookies: not sent, and not kept',
      'Proxy: http://proxy.test, in the whole browser',
    ],
  ]);
  expect(rules).toHaveLength(2);
  await stage[Symbol.asyncDispose]();
  expect(asked.slice(1)).toEqual(['cleared regular', 'window closed']);
  expect([rules, changes.at(-1)]).toEqual([[], []]);
});

test('the person is shown the date that their own pages get while a recorded page is loaded', async () => {
  const changes: string[][] = [];
  const stage = await stageFor({}, changes, { recordedEpochMs: Date.UTC(2026, 10, 20, 12) });
  expect(changes[0]).toContain('Date of all pages that begin to load: 2026-11-20');
  await stage[Symbol.asyncDispose]();
  expect(changes.at(-1)).toEqual([]);
});
