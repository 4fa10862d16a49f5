import { beforeEach, expect, test } from 'vitest';
import type * as OpenStage from '#extension/background/stage/open-stage.ts';
import { playBrowser, type PlayedBrowser } from './support/played-browser.ts';

interface PlayedWindow {
  id: number;
  incognito: boolean;
  tabs: { id: number }[];
}

let stages: typeof OpenStage;
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
beforeEach(async () => {
  [asked, windows, containers, stored] = [[], [], [], { session: {}, local: {} }];
  await open({});
  stages = await import('#extension/background/stage/open-stage.ts');
});

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
