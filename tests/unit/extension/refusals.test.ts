import { beforeEach, expect, test } from 'vitest';
import type * as Refusals from '#extension/background/passes/explain-refusal.ts';
import type * as ProxyPermit from '#extension/agent-state/proxy-permit.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { makeOrder } from '../agent/hold-agent.ts';
import { playBrowser } from './support/played-browser.ts';

let refusals: typeof Refusals;
let permit: typeof ProxyPermit;
let rights: Set<string>;
let stored: Record<string, unknown>;
let mayAccess: boolean;

/** `asks`: whether the browser asks its person for the right to set proxies, as Firefox does. */
async function open({ asks = false } = {}): Promise<void> {
  await playBrowser({
    runtime: { getManifest: () => ({ optional_permissions: asks ? ['proxy'] : [] }) },
    permissions: {
      contains: ({ permissions, origins }: { permissions?: string[]; origins?: string[] }) =>
        Promise.resolve(origins === undefined ? rights.has(permissions![0]!) : mayAccess),
      request: ({ permissions }: { permissions: string[] }) => Promise.resolve(void rights.add(permissions[0]!)),
      remove: ({ permissions }: { permissions: string[] }) => Promise.resolve(rights.delete(permissions[0]!)),
    },
    storage: {
      local: {
        get: (key: string) => Promise.resolve({ [key]: stored[key] }),
        set: (values: object) => Promise.resolve(void Object.assign(stored, values)),
        remove: (key: string) => Promise.resolve(Reflect.deleteProperty(stored, key)),
      },
    },
  });
  refusals = await import('#extension/background/passes/explain-refusal.ts');
  permit = await import('#extension/agent-state/proxy-permit.ts');
}
beforeEach(async () => {
  [rights, stored, mayAccess] = [new Set(), {}, true];
  await open();
});

const url = 'http://origin.test/';
const order: PassOrder = { ...makeOrder({ roundId: 'a', url }), engine: 'extension' };
const browser = (settings: object) => ({ browser: BrowserSettingsSchema.parse(settings) });

test('a Pass as an extension can make it is not refused, nor one with flags and preferences for others', async () => {
  expect(await refusals.explainRefusal(order)).toBeNull();
  const forOthers = browser({ flags: ['--disable-gpu'], prefs: { 'network.dns.disableIPv6': true } });
  expect(await refusals.explainRefusal({ ...order, ...forOthers })).toBeNull();
});

test.each([
  [{ engine: 'chrome' }, 'this Agent is a browser extension: give the User Agent "engine: extension", not "chrome"'],
  [{ osUser: 20_001 }, 'runs as the user of its browser'],
  [{ sourceAddress: '192.0.2.1' }, 'runs as the user of its browser'],
  [{ interface: 'eth0' }, 'runs as the user of its browser'],
  [
    {
      visits: [
        { url, repetition: 1 },
        { url, repetition: 1, leg: {} },
      ],
    },
    'makes no journeys',
  ],
])('an order with %j is refused, with what to do', async (change, reason) => {
  expect(await refusals.explainRefusal({ ...order, ...(change as Partial<PassOrder>) })).toContain(reason);
});

test('without access to pages, the person is to give it', async () => {
  mayAccess = false;
  expect(await refusals.explainRefusal(order)).toContain('press "Allow access to web pages" in its options');
});

test.each([true, false])(
  'a proxy is set only where the person lets Scenarios do so (asked by the browser: %s)',
  async (asks) => {
    await open({ asks });
    const withProxy = { ...order, ...browser({ proxy: 'http://proxy.test:3128' }) };
    expect(await permit.mayUseProxies()).toBe(false);
    expect(await refusals.explainRefusal(withProxy)).toMatch(/^browser\.proxy |^proxy /);
    await permit.permitProxies();
    expect([[...rights], stored]).toEqual(asks ? [['proxy'], {}] : [[], { mayUseProxies: true }]);
    expect(await permit.mayUseProxies()).toBe(true);
    expect(await refusals.explainRefusal(withProxy)).toBeNull();
    await permit.forbidProxies();
    expect([[...rights], stored]).toEqual([[], {}]);
    expect(await permit.mayUseProxies()).toBe(false);
  },
);
