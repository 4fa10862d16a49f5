import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { unlessAborted } from '#core/waiting.ts';
import type { ControllerClock } from '#core/clock/controller-clock.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type * as Passes from '#extension/background/passes/extension-pass.ts';
import type { Spool } from '#extension/background/spool.ts';
import type * as OpenStage from '#extension/background/stage/open-stage.ts';
import { makeOrder } from '../agent/hold-agent.ts';
import { playBrowser, type PlayedBrowser } from './support/played-browser.ts';

interface PlayedWindow {
  id: number;
  incognito: boolean;
  tabs: { id: number }[];
}

let stages: typeof OpenStage;
let passes: typeof Passes;
/** What the browser was asked, in order. */
let asked: string[];
let windows: PlayedWindow[];
let containers: string[];
let stored: Record<'session' | 'local', Record<string, unknown>>;

/** A browser with containers, as Firefox, or one that may be allowed incognito windows, as Chrome. */
async function open({ hasContainers = false, mayIncognito = false }): Promise<void> {
  const area = (name: 'session' | 'local') => ({
    get: (key: string) => Promise.resolve({ [key]: stored[name][key] }),
    set: (values: object) => Promise.resolve(void Object.assign(stored[name], values)),
  });
  const parts: PlayedBrowser = {
    windows: {
      create: ({ incognito = false, state = 'normal', cookieStoreId = '' }) => {
        const id = 10 + windows.length;
        const window = { id, incognito, tabs: [{ id: 100 + id }] };
        windows.push(window);
        asked.push(`open ${[id, ...(incognito ? ['incognito'] : []), state, cookieStoreId].join(' ').trim()}`);
        return Promise.resolve(window);
      },
      getAll: () => Promise.resolve(windows),
      get: () => Promise.resolve({ width: 500, height: 400 }),
      remove: (id: number) => {
        asked.push(`close ${id}`);
        windows = windows.filter((each) => each.id !== id);
        return Promise.resolve();
      },
    },
    tabs: { get: () => Promise.resolve({ width: 500, height: 400 }), getZoom: () => Promise.resolve(1) },
    runtime: { getManifest: () => ({}) },
    permissions: { contains: () => Promise.resolve(true) },
    declarativeNetRequest: { getSessionRules: () => Promise.resolve([]), updateSessionRules: () => Promise.resolve() },
    storage: { session: area('session'), local: area('local') },
    browsingData: { removeCache: () => Promise.resolve(void asked.push('clear the cache')) },
    extension: { isAllowedIncognitoAccess: () => Promise.resolve(mayIncognito) },
    ...(hasContainers && {
      contextualIdentities: {
        create: () => {
          containers.push(`container-${containers.length}`);
          return Promise.resolve({ cookieStoreId: containers.at(-1)! });
        },
        remove: (id: string) => Promise.resolve(void asked.push(`remove ${id}`)),
      },
    }),
  };
  await playBrowser(parts);
}
beforeAll(async () => {
  await playBrowser({});
  // Chrome's own name is read where the modules are loaded, and other tests have another one there.
  vi.resetModules();
  Object.assign(globalThis, { chrome: {} });
  stages = await import('#extension/background/stage/open-stage.ts');
  passes = await import('#extension/background/passes/extension-pass.ts');
  Reflect.deleteProperty(globalThis, 'chrome');
});
beforeEach(async () => {
  [asked, windows, containers, stored] = [[], [], [], { session: {}, local: {} }];
  await open({});
});
afterAll(() => void vi.resetModules());

const viewport = { widthPx: 500, heightPx: 400 };
const readOpen = async () => [await stages.readWindows(), await stages.readContainers()];

test('a cold Visit in Firefox has a container of its own, which goes with its window', async () => {
  await open({ hasContainers: true });
  const stage = await stages.openStage({ cache: 'cold', viewport });
  expect(stage).toMatchObject({
    tabId: 110,
    windowId: 10,
    container: 'container-0',
    isolation: 'container',
    isIncognito: false,
    viewport,
  });
  expect(await readOpen()).toEqual([[10], ['container-0']]);
  await stage[Symbol.asyncDispose]();
  expect(asked).toEqual(['open 10 normal container-0', 'close 10', 'remove container-0']);
  expect(await readOpen()).toEqual([[10], []]);
});

test.for([
  ['cold', false, 'cache-cleared', ['clear the cache', 'open 10 normal', 'close 10']],
  ['cold', true, 'incognito', ['open 10 incognito normal', 'close 10']],
  ['warm', true, 'shared', ['open 10 normal', 'close 10']],
] as const)('a %s Visit in Chrome that may be incognito (%s) is %s', async ([cache, mayIncognito, isolation, does]) => {
  await open({ mayIncognito });
  {
    await using stage = await stages.openStage({ cache, viewport });
    expect(stage).toMatchObject({ isolation, container: null, isIncognito: isolation === 'incognito' });
  }
  expect(asked).toEqual(does);
});

test('beside an incognito window of the person, none is taken: the two would share one profile', async () => {
  await open({ mayIncognito: true });
  windows.push({ id: 1, incognito: true, tabs: [] });
  await using stage = await stages.openStage({ cache: 'cold', viewport });
  expect(stage.isolation).toBe('cache-cleared');
});

test('the Visits of a Pass share what keeps it apart, and only the first finds it empty', async () => {
  await open({ mayIncognito: true });
  const profile = (await stages.openPassProfile({ cache: 'per-pass' }))!;
  expect(profile).toMatchObject({ isolation: 'incognito', container: null, keeperId: 10 });
  const isolations: string[] = [];
  for (const isFirst of [true, false]) {
    await using stage = await stages.openStage({ cache: 'per-pass', viewport }, { profile, isFirst });
    isolations.push(stage.isolation);
    expect((await stages.readWindows()).toSorted()).toEqual([10, stage.windowId]);
  }
  await profile[Symbol.asyncDispose]();
  expect(isolations).toEqual(['incognito', 'shared']);
  expect(asked[0]).toBe('open 10 incognito minimized');
  expect(asked.at(-1)).toBe('close 10');
  expect(windows).toEqual([]);
});

test('a Pass in Firefox keeps one container for all of its Visits', async () => {
  await open({ hasContainers: true });
  const profile = (await stages.openPassProfile({ cache: 'per-pass' }))!;
  for (const isFirst of [true, false]) {
    await using stage = await stages.openStage({ cache: 'per-pass', viewport }, { profile, isFirst });
    expect(stage.container).toBe('container-0');
  }
  expect([containers, await stages.readContainers()]).toEqual([['container-0'], ['container-0']]);
  await profile[Symbol.asyncDispose]();
  expect(asked.filter((each) => each.startsWith('remove'))).toEqual(['remove container-0']);
});

test('a Pass whose Visits begin empty by themselves, or are warm, needs nothing of its own', async () => {
  await open({ hasContainers: true });
  for (const cache of ['cold', 'warm'] as const) expect(await stages.openPassProfile({ cache })).toBeNull();
  expect([asked, containers]).toEqual([[], []]);
});

test('a window that is closed already is left alone', async () => {
  const stage = await stages.openStage({ cache: 'warm', viewport });
  windows = [];
  await stage[Symbol.asyncDispose]();
  expect(asked).toEqual(['open 10 normal']);
});

test('a window that the person closes while it gets its size leaves no container', async () => {
  await open({ hasContainers: true });
  const { default: browser } = await import('webextension-polyfill');
  Object.assign(browser.tabs, {
    get: () => {
      windows = [];
      return Promise.reject(new Error('No tab with id: 110'));
    },
  });
  await expect(stages.openStage({ cache: 'cold', viewport })).rejects.toThrow('No tab with id: 110');
  expect(asked).toEqual(['open 10 normal container-0', 'remove container-0']);
  expect((await readOpen())[1]).toEqual([]);
});

test('a Pass whose incognito profile ended with its window makes no Visit that would find it empty', async () => {
  await open({ mayIncognito: true });
  const profile = (await stages.openPassProfile({ cache: 'per-pass' }))!;
  windows = [];
  await expect(stages.openStage({ cache: 'per-pass', viewport }, { profile, isFirst: false })).rejects.toThrow(
    'the minimised incognito window, which keeps the cache of the Pass, was closed',
  );
  expect(asked).toEqual(['open 10 incognito minimized']);
});

test('a Pass of an earlier life of the browser opens nothing before there is a line to its Controller', async () => {
  const order = makeOrder({ roundId: 'a', url: 'http://origin.test/' });
  const offset = { offsetMs: 0, errorMs: 1 };
  const isAsked = Promise.withResolvers<void>();
  const improve = (signal: AbortSignal) => {
    isAsked.resolve();
    return unlessAborted(new Promise<never>(() => undefined), signal);
  };
  const sent: AgentMessage[] = [];
  const pass = new passes.ExtensionPass(
    {
      order: { ...order, engine: 'extension' },
      state: 'running',
      startEpochMs: 0,
      clock: offset,
      ...{ sequence: 0, attempts: 1, browserLifeId: 'a' },
    },
    {
      spool: { writePass: () => Promise.resolve() } as unknown as Spool,
      clock: { improve, known: null } as unknown as ControllerClock,
      send: (message: AgentMessage) => sent.push(message),
      warmUp: () => Promise.resolve(),
      ...{ browserLifeId: 'b', onChanges: () => undefined, onProgress: () => undefined },
    },
  );
  const over = pass.runner.run();
  await isAsked.promise;
  pass.runner.cancel('Its Round is over');
  await over;
  expect([asked, sent]).toEqual([[], []]);
});

test('the first Pass of a browser that keeps its cache does not clear that of the person', async () => {
  await open({ mayIncognito: true });
  const order = makeOrder({ roundId: 'a', url: 'http://origin.test/' });
  const pageLoad = { ...order.pageLoad, cache: 'per-pass' as const, viewport };
  const offset = { offsetMs: 0, errorMs: 1 };
  const pass = new passes.ExtensionPass(
    {
      order: { ...order, engine: 'extension', pageLoad },
      state: 'preparing',
      startEpochMs: null,
      clock: null,
      ...{ sequence: 0, attempts: 0, browserLifeId: 'a' },
    },
    {
      spool: { writePass: () => Promise.resolve() } as unknown as Spool,
      clock: { improve: () => Promise.resolve(offset), known: offset } as unknown as ControllerClock,
      send: ({ type }: AgentMessage) => type === 'pass-ready' && pass.runner.cancel('enough'),
      // As the background opens a window and closes it once.
      warmUp: async (asAsked) => (await stages.openStage(asAsked))[Symbol.asyncDispose](),
      ...{ browserLifeId: 'a', onChanges: () => undefined, onProgress: () => undefined },
    },
  );
  await pass.runner.run();
  expect(asked).toEqual([
    ...['open 10 incognito normal', 'close 10'],
    ...['open 10 incognito minimized', 'open 11 incognito normal', 'close 11', 'close 10'],
  ]);
});
