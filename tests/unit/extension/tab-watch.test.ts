import { beforeEach, expect, test, vi } from 'vitest';
import type * as TabWatches from '#extension/background/visit/tab-watch.ts';
import { playBrowser, type PlayedBrowser } from './support/played-browser.ts';

type Listener = (...details: unknown[]) => unknown;

/** One kind of event of a browser. */
class PlayedEvent {
  readonly listeners = new Map<Listener, unknown[]>();
  addListener = (listener: Listener, ...options: unknown[]) => void this.listeners.set(listener, options);
  removeListener = (listener: Listener) => void this.listeners.delete(listener);
  emit(...details: unknown[]): void {
    for (const listener of this.listeners.keys()) listener(...details);
  }
}
const named = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, new PlayedEvent()])) as Record<Name, PlayedEvent>;

const makeEvents = () => ({
  webRequest: named(
    'onBeforeRequest',
    'onSendHeaders',
    'onHeadersReceived',
    'onBeforeRedirect',
    'onResponseStarted',
    'onCompleted',
    'onErrorOccurred',
    'onAuthRequired',
  ),
  webNavigation: named(
    'onBeforeNavigate',
    'onCommitted',
    'onCompleted',
    'onErrorOccurred',
    'onCreatedNavigationTarget',
  ),
  tabs: named('onRemoved', 'onCreated'),
  downloads: named('onCreated'),
});
let events: ReturnType<typeof makeEvents>;
let asked: string[];
let watches: typeof TabWatches;
let watch: TabWatches.TabWatch;

async function open({ hasContainers = false } = {}): Promise<void> {
  events = makeEvents();
  asked = [];
  const note = (what: string) => Promise.resolve(void asked.push(what));
  const parts: PlayedBrowser = {
    webRequest: events.webRequest,
    webNavigation: events.webNavigation,
    tabs: { ...events.tabs, remove: (id: number) => note(`close tab ${id}`) },
    downloads: {
      ...events.downloads,
      cancel: (id: number) => note(`cancel download ${id}`),
      erase: ({ id }: { id: number }) => note(`erase download ${id}`),
    },
    scripting: {
      executeScript: ({
        target,
        files,
        world,
        injectImmediately,
      }: {
        target: { frameIds: number[] };
        files?: string[];
        world?: string;
        injectImmediately: boolean;
      }) => {
        const part = `${files ? 'probe' : `dialogs in ${world}`} of frame ${target.frameIds.join()}`;
        asked.push(injectImmediately ? part : `${part}, when it is whole`);
        return Promise.resolve([]);
      },
    },
    ...(hasContainers && { contextualIdentities: { create: () => undefined } }),
  };
  await playBrowser(parts);
  watches = await import('#extension/background/visit/tab-watch.ts');
  watch = new watches.TabWatch(7);
}
beforeEach(() => open());

const url = 'http://origin.test/';
const request = (change: object = {}) => ({
  requestId: '1',
  url,
  type: 'main_frame',
  tabId: 7,
  frameId: 0,
  parentFrameId: -1,
  method: 'GET',
  timeStamp: 1000,
  ...change,
});
const navigation = (change: object = {}) => ({
  tabId: 7,
  frameId: 0,
  parentFrameId: -1,
  url,
  timeStamp: 1000,
  ...change,
});
const all = () => Object.values(events).flatMap((part) => Object.values(part));

test('it hears of its own tab, and of nothing once it has ended', () => {
  const filter = { urls: ['<all_urls>'], tabId: 7 };
  for (const event of Object.values(events.webRequest)) {
    const filters = [...event.listeners.values()].map(([each]) => each);
    expect(filters).toContainEqual(filter);
  }
  // Chrome reports scripts of workers without a tab.
  expect([...events.webRequest.onSendHeaders.listeners.values()]).toContainEqual([
    { urls: ['<all_urls>'], types: ['script'] },
    ['requestHeaders'],
  ]);
  watch[Symbol.dispose]();
  expect(all().every(({ listeners }) => listeners.size === 0)).toBe(true);
});

test('Firefox names the tab of each script, and has sets of images', async () => {
  await open({ hasContainers: true });
  expect(events.webRequest.onSendHeaders.listeners.size).toBe(1);
  const types = [...events.webRequest.onResponseStarted.listeners.values()].map(
    ([filter]) => (filter as { types?: string[] }).types,
  );
  expect(types).toEqual([undefined, ['main_frame', 'sub_frame', 'object'], ['xmlhttprequest', 'image', 'imageset']]);
});

test('each document of the tab gets the probe, and dialogs that answer at once; a page of the browser’s own does not', async () => {
  events.webNavigation.onCommitted.emit(navigation({ tabId: 8 }));
  events.webNavigation.onCommitted.emit(navigation({ documentLifecycle: 'prerender' }));
  events.webNavigation.onCommitted.emit(navigation({ url: 'chrome-error://chromewebdata/' }));
  expect(asked).toEqual([]);
  events.webNavigation.onCommitted.emit(navigation());
  events.webNavigation.onCommitted.emit(navigation({ frameId: 3, url: 'about:blank' }));
  await vi.waitFor(() => expect(asked).toHaveLength(4));
  expect(asked.toSorted()).toEqual([
    'dialogs in MAIN of frame 0',
    'dialogs in MAIN of frame 3',
    'probe of frame 0',
    'probe of frame 3',
  ]);
});

test.each([
  [false, ['application/xml'], ''],
  [true, ['application/xml; charset=utf-8'], ', when it is whole'],
  [true, ['application/xml', 'text/html'], ''],
  [true, ['application/xhtml+xml'], ''],
  [true, [undefined], ''],
])('in Firefox (%s) a document of the type %j gets the probe at once%s', async (hasContainers, types, when) => {
  await open({ hasContainers });
  const [, onDocumentStarted] = [...events.webRequest.onResponseStarted.listeners.keys()];
  for (const value of types) {
    const responseHeaders = value === undefined ? [] : [{ name: 'content-type', value }];
    onDocumentStarted!(request({ type: 'sub_frame', frameId: 3, statusCode: 200, fromCache: false, responseHeaders }));
  }
  events.webNavigation.onCommitted.emit(navigation({ frameId: 3 }));
  expect(asked).toEqual([`dialogs in MAIN of frame 3${when}`, `probe of frame 3${when}`]);
});

test('windows that the page opens are closed, those of others stay', async () => {
  events.webNavigation.onCreatedNavigationTarget.emit({ sourceTabId: 7, tabId: 20 });
  events.webNavigation.onCreatedNavigationTarget.emit({ sourceTabId: 8, tabId: 21 });
  events.tabs.onCreated.emit({ id: 22, openerTabId: 7 });
  events.tabs.onCreated.emit({ id: 23, openerTabId: 8 });
  events.tabs.onCreated.emit({ id: 24 });
  await vi.waitFor(() => expect(asked).toEqual(['close tab 20', 'close tab 22']));
});

test('a tab that is closed ends the Visit', () => {
  events.tabs.onRemoved.emit(8);
  expect(watch.lost.aborted).toBe(false);
  events.tabs.onRemoved.emit(7);
  expect(watch.lost.reason).toMatchObject({ code: 'aborted' });
});

test.each([
  [{ 'Content-Type': 'text/html', 'Content-Length': '5000' }, null],
  [{}, null],
  [{ 'content-length': '999999999999' }, 'too-large'],
  [{ 'Content-Type': 'application/pdf' }, 'unsupported-content'],
])('a base page with the headers %j is refused as %s', (headers, code) => {
  events.webRequest.onBeforeRequest.emit(request());
  const responseHeaders = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const [, onDocumentStarted] = [...events.webRequest.onResponseStarted.listeners.keys()];
  onDocumentStarted!(request({ statusCode: 200, fromCache: false, responseHeaders }));
  expect((watch.lost.reason as { code?: string } | undefined)?.code ?? null).toBe(code);
});

test('an address that gives a file is no page; files of a page that has come are discarded', async () => {
  const give = (address: string) => events.downloads.onCreated.emit({ id: 4, url: address });
  give('http://other.test/file');
  expect([watch.lost.aborted, asked]).toEqual([false, []]);
  events.webRequest.onBeforeRequest.emit(request());
  give(url);
  expect(watch.lost.reason).toMatchObject({ code: 'unsupported-content' });
  await vi.waitFor(() => expect(asked).toEqual(['cancel download 4', 'erase download 4']));

  await open();
  events.webRequest.onBeforeRequest.emit(request());
  events.webNavigation.onCommitted.emit(navigation());
  give(url);
  expect(watch.lost.aborted).toBe(false);
  await vi.waitFor(() => expect(asked).toContain('erase download 4'));
});

test('nobody enters a password: the answer that asks for it is the page', () => {
  const answers: unknown[] = [];
  events.webRequest.onBeforeRequest.emit(request());
  events.webRequest.onAuthRequired.emit(request({ statusCode: 401 }), (answer: unknown) => answers.push(answer));
  expect(answers).toEqual([{ cancel: true }]);
  expect(watch.recorder.requests).toMatchObject([{ status: 401 }]);
});
