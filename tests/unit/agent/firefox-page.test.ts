import { beforeEach, expect, test } from 'vitest';
import type { BidiConnection } from '#agent/engines/firefox/bidi-connection.ts';
import { openPage, type PageSettings } from '#agent/engines/firefox/open-firefox-page.ts';

// Firefox's part is played: what it reports is given, and what it is asked is noted.

type Asked = [method: string, params: unknown];

let asked: Asked[];
let listeners: Map<string, Set<(params: unknown) => void>>;
let closed: AbortController;
let connection: BidiConnection;
beforeEach(() => {
  asked = [];
  listeners = new Map();
  closed = new AbortController();
  connection = {
    closed: closed.signal,
    send: (method: string, params: object) => {
      asked.push([method, params]);
      if (method === 'browsingContext.create') return Promise.resolve({ context: 'main' });
      if (method === 'browsingContext.getTree') return Promise.resolve({ contexts: [{ context: 'own' }] });
      return Promise.resolve({ collector: 'kept', type: 'success', result: { type: 'undefined' } });
    },
    on: (method: string, listener: (params: unknown) => void) => {
      const all = listeners.get(method) ?? new Set();
      listeners.set(method, all.add(listener));
      return { [Symbol.dispose]: () => void all.delete(listener) };
    },
  } as unknown as BidiConnection;
});
const report = (method: string, params: object) => {
  for (const listener of listeners.get(`browsingContext.${method}`) ?? []) listener(params);
};
const askedOf = (method: string) => asked.filter(([each]) => each === method).map(([, params]) => params);

const settings: PageSettings = {
  viewport: { widthPx: 1366, heightPx: 768 },
  deviceScaleRatio: 2,
  probeSource: 'the probe',
  nowEpochMs: () => 5000,
  recordsHeaders: false,
};
const open = (place = { contextId: 'user', isContextKept: false }) => openPage(connection, place, settings);
const created = (context: string, parent: string | null) =>
  report('contextCreated', { context, parent, url: 'about:blank' });
const reasonOf = ({ lost }: { lost: AbortSignal }) => lost.reason as unknown;

test('a page has the viewport and the probe before its first navigation', async () => {
  const page = await open();
  expect(asked).toEqual([
    ['browsingContext.create', { type: 'tab', userContext: 'user' }],
    ['network.addDataCollector', { contexts: ['main'], dataTypes: ['response'], maxEncodedDataSize: 4_194_304 }],
    [
      'script.addPreloadScript',
      { contexts: ['main'], functionDeclaration: '() => {the probe}', sandbox: expect.any(String) as string },
    ],
    ['browsingContext.setViewport', { context: 'main', viewport: { width: 1366, height: 768 }, devicePixelRatio: 2 }],
  ]);
  expect(page).toMatchObject({ contextId: 'main', collectorId: 'kept', isJourney: false, viewport: settings.viewport });
  expect(page.lost.aborted).toBe(false);
});

test('after a Visit its context goes with all that it kept; one that is kept loses the tab alone', async () => {
  for (const isContextKept of [false, true]) {
    asked = [];
    const page = await open({ contextId: 'user', isContextKept });
    await page[Symbol.asyncDispose]();
    expect(askedOf('network.removeDataCollector')).toEqual([{ collector: 'kept' }]);
    expect(askedOf('browser.removeUserContext')).toEqual(isContextKept ? [] : [{ userContext: 'user' }]);
    expect(askedOf('browsingContext.close')).toEqual(isContextKept ? [{ context: 'main' }] : []);
    // Its idle connections would end amid a later Visit.
    expect(JSON.stringify(asked).includes('prune-all-connections')).toBe(!isContextKept);
    expect([...listeners.values()].every((all) => all.size === 0)).toBe(true);
    closed.abort();
    expect(page.lost.aborted).toBe(false);
    closed = new AbortController();
    Object.assign(connection, { closed: closed.signal });
  }
});

test('frames are part of the page; a window that it opens is closed, and what happens there is not noted', async () => {
  const { recorder } = await open();
  const committed = (context: string, url: string) =>
    report('navigationCommitted', { context, navigation: null, timestamp: 4000, url });
  created('frame', 'main');
  created('window', null);
  expect(askedOf('browsingContext.close')).toEqual([{ context: 'window' }]);
  committed('main', 'http://origin.test/');
  committed('window', 'http://window.test/');
  expect(recorder.documents.map(({ url }) => url)).toEqual(['http://origin.test/']);
});

test('a page is lost when its tab, its process or its browser is gone', async () => {
  const crashed = await open();
  report('navigationCommitted', { context: 'frame', navigation: null, timestamp: 1, url: 'about:tabcrashed' });
  report('contextDestroyed', { context: 'frame', parent: 'main', url: '' });
  expect(crashed.lost.aborted).toBe(false);
  report('navigationCommitted', { context: 'main', navigation: null, timestamp: 1, url: 'about:tabcrashed' });
  expect(reasonOf(crashed)).toMatchObject({ code: 'browser-crashed', message: 'The process of the page crashed' });
  listeners.clear();
  const gone = await open();
  report('contextDestroyed', { context: 'main', parent: null, url: '' });
  expect(reasonOf(gone)).toMatchObject({ code: 'unsupported-content', message: 'The page closed its tab' });
  listeners.clear();
  const ended = await open();
  closed.abort();
  expect(reasonOf(ended)).toMatchObject({ code: 'browser-crashed' });
});

test('an address that gives a file is no page; a page that has come may give files', async () => {
  const file = (context: string) =>
    report('downloadWillBegin', { context, url: 'http://origin.test/file', timestamp: 4000, navigation: null });
  const none = await open();
  file('frame');
  expect(none.lost.aborted).toBe(false);
  file('main');
  expect(reasonOf(none)).toMatchObject({ code: 'unsupported-content' });
  listeners.clear();
  const page = await open();
  report('navigationCommitted', { context: 'main', navigation: null, timestamp: 1, url: 'http://origin.test/' });
  file('main');
  expect(page.lost.aborted).toBe(false);
});

test('dialogs are answered where they are shown, as in every engine', async () => {
  const page = await open();
  const prompt = (context: string, type: string) => report('userPromptOpened', { context, type });
  prompt('main', 'alert');
  prompt('frame', 'confirm');
  prompt('main', 'beforeunload');
  page.isJourney = true;
  prompt('main', 'confirm');
  expect(askedOf('browsingContext.handleUserPrompt')).toEqual([
    { context: 'main', accept: false },
    { context: 'frame', accept: false },
    { context: 'main', accept: true },
    { context: 'main', accept: true },
  ]);
});
