import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { beforeEach, expect, test } from 'vitest';
import { collectFrames } from '#agent/engines/chrome/collect-chrome-frames.ts';
import { askFrames } from '#agent/engines/chrome/frame-worlds.ts';
import type { ChromePage } from '#agent/engines/chrome/open-chrome-page.ts';
import { FrameWatch, type FrameWatchSettings } from '#agent/engines/chrome/frame-watch.ts';
import type { NetworkRecorder } from '#agent/engines/chrome/chrome-recorder.ts';

// Chrome's part is played: what it reports is given, and what it is asked is noted.

const sessions = new Map<string, PlayedSession>();

class PlayedSession extends EventEmitter {
  readonly name: string;
  readonly asked: [method: string, params: unknown][] = [];
  constructor(name: string) {
    super();
    this.name = name;
    sessions.set(name, this);
  }
  id = () => this.name;
  connection = () => ({ session: (id: string) => sessions.get(id) });
  send = (method: string, params: unknown = {}) => {
    this.asked.push([method, params]);
    return Promise.resolve({});
  };
  /** The parameters of each command of this name. */
  askedOf = (method: string) => this.asked.filter(([each]) => each === method).map(([, params]) => params);
}
const asSession = (session: PlayedSession) => session as unknown as CDPSession;

let events: object[];
let observed: string[];
beforeEach(() => {
  [events, observed] = [[], []];
  sessions.clear();
});

async function watchPage(page: Partial<FrameWatchSettings['page']> = {}, userAgentString?: string) {
  const recorder = {
    apply: (event: object) => void events.push(event),
    observe: (session: CDPSession) => void observed.push(session.id()),
    findUnended: () => [],
  } as unknown as NetworkRecorder;
  const watch = new FrameWatch({
    recorder,
    probeSource: 'the probe',
    nowEpochMs: () => 5000,
    page: { isJourney: false, scriptAhead: null, ...page },
    userAgentString,
  });
  const session = new PlayedSession('page');
  await watch.watch(asSession(session));
  return { watch, session };
}
const attach = (parent: PlayedSession, type: string, name: string) => {
  const session = new PlayedSession(name);
  parent.emit('Target.attachedToTarget', { sessionId: name, targetInfo: { type, targetId: `frame of ${name}` } });
  return session;
};

test('frames, their documents and their ends are noted; one that moves to another process has not ended', async () => {
  const { session } = await watchPage();
  session.emit('Page.frameAttached', { frameId: 'b', parentFrameId: 'a' });
  session.emit('Page.frameNavigated', { frame: { id: 'b', url: 'http://b.test/', loaderId: '7' }, type: 'Navigation' });
  session.emit('Page.frameNavigated', {
    frame: { id: 'a', url: 'chrome-error://x', unreachableUrl: 'http://a.test/', loaderId: '' },
    type: 'BackForwardCacheRestore',
  });
  session.emit('Page.frameDetached', { frameId: 'b', reason: 'swap' });
  session.emit('Page.frameDetached', { frameId: 'c', reason: 'remove' });
  const came = { kind: 'document-came', atEpochMs: 5000 };
  expect(events).toEqual([
    { kind: 'frame-came', frameId: 'b', parentFrameId: 'a' },
    { ...came, frameId: 'b', documentId: '7', url: 'http://b.test/', isRestored: false },
    { ...came, frameId: 'a', documentId: null, url: 'http://a.test/', isRestored: true },
    { kind: 'frame-gone', frameId: 'c', atEpochMs: 5000 },
  ]);
});

test('a frame in a process of its own is watched as the page is, a worker without the probe, until they go', async () => {
  const { watch, session } = await watchPage();
  const frame = attach(session, 'iframe', 'frame');
  const worker = attach(frame, 'worker', 'worker');
  session.emit('Target.attachedToTarget', { sessionId: 'gone again', targetInfo: { type: 'iframe', targetId: 'x' } });
  expect(observed).toEqual(['page', 'frame', 'worker']);
  expect([...watch.sessions].map((each) => each.id())).toEqual(['page', 'frame']);
  expect([session, frame, worker].map((each) => each.askedOf('Page.addScriptToEvaluateOnNewDocument'))).toEqual([
    [{ source: 'the probe', worldName: 'http-ae' }],
    [{ source: 'the probe', worldName: 'http-ae' }],
    [],
  ]);
  // Each lets its target run last.
  for (const each of [session, frame, worker]) expect(each.asked.at(-1)![0]).toBe('Runtime.runIfWaitingForDebugger');
  frame.emit('Page.frameNavigated', {
    frame: { id: 'frame of frame', url: 'http://f.test/', loaderId: '1' },
    type: 'Navigation',
  });
  expect([session, frame].map((each) => watch.urlOf(asSession(each)))).toEqual(['', 'http://f.test/']);
  frame.emit('Target.detachedFromTarget', { sessionId: 'worker' });
  session.emit('Target.detachedFromTarget', { sessionId: 'frame' });
  expect([...watch.sessions].map((each) => each.id())).toEqual(['page']);
  expect(events.filter((event) => 'targetId' in event)).toEqual([
    { kind: 'target-came', targetId: 'frame', parentTargetId: 'page' },
    { kind: 'target-came', targetId: 'worker', parentTargetId: 'frame' },
    { kind: 'target-gone', targetId: 'worker', atEpochMs: 5000 },
    { kind: 'target-gone', targetId: 'frame', atEpochMs: 5000 },
  ]);
});

test('of a frame whose process crashes nothing comes any more, and it does not go', async () => {
  const { watch, session } = await watchPage();
  const frame = attach(session, 'iframe', 'frame');
  expect(frame.askedOf('Inspector.enable')).toHaveLength(1);
  frame.emit('Inspector.targetCrashed');
  expect(events.at(-1)).toEqual({ kind: 'target-gone', targetId: 'frame', atEpochMs: 5000 });
  expect([...watch.sessions].map((each) => each.id())).toEqual(['page', 'frame']);
});

test('a frame whose process crashes is waited for no longer, neither while the page loads nor as it is read out', async () => {
  const { watch, session } = await watchPage();
  const frame = attach(session, 'iframe', 'frame');
  frame.emit('Page.frameNavigated', {
    frame: { id: 'frame of frame', url: 'http://f.test/', loaderId: '1' },
    type: 'Navigation',
  });
  // As Chrome: a crashed process never answers.
  Object.assign(frame, { send: () => new Promise(() => undefined) });
  const page = {
    main: asSession(session),
    frameSessions: new Set([asSession(frame)]),
    crashOf: (each: CDPSession) => watch.crashOf(each),
    urlOfSession: (each: CDPSession) => watch.urlOf(each),
  } as unknown as ChromePage;
  const { signal } = new AbortController();
  const asked = askFrames(page, { expression: '1', signal });
  const collected = collectFrames(page, { probeSource: '', signal });
  frame.emit('Inspector.targetCrashed');
  expect(await asked).toEqual([]);
  const silent = [{ isPage: false, url: 'http://f.test/', silence: { kind: 'no-answer' } }];
  expect(await collected).toEqual({ frames: [], silences: silent });
  expect((await collectFrames(page, { probeSource: '', signal })).silences).toEqual(silent);
  frame.emit('Inspector.targetReloadedAfterCrash');
  expect(watch.crashOf(asSession(frame)).aborted).toBe(false);
});

test('a worklet, which waits for its debugger as a worker does, is let run, and its network is watched', async () => {
  const { session } = await watchPage({ scriptAhead: 'the clock' });
  const worklet = attach(session, 'worklet', 'worklet');
  expect(session.askedOf('Target.setAutoAttach')).toMatchObject([
    { filter: [{ type: 'iframe' }, { type: 'worker' }, { type: 'worklet' }, { exclude: true }] },
  ]);
  expect(observed).toEqual(['page', 'worklet']);
  expect(worklet.asked.map(([method]) => method)).toEqual([
    'Network.enable',
    'Target.setAutoAttach',
    'Runtime.runIfWaitingForDebugger',
  ]);
});

test('a script ahead of the page’s runs in its frames and workers, before theirs', async () => {
  const { session } = await watchPage({ scriptAhead: 'the clock' });
  expect(session.askedOf('Page.addScriptToEvaluateOnNewDocument')).toContainEqual({ source: 'the clock' });
  const worker = attach(session, 'worker', 'worker');
  expect(worker.askedOf('Debugger.setInstrumentationBreakpoint')).toEqual([
    { instrumentation: 'beforeScriptExecution' },
  ]);
  expect(worker.askedOf('Runtime.evaluate')).toEqual([]);
  worker.emit('Debugger.paused');
  worker.emit('Debugger.paused');
  expect(worker.askedOf('Runtime.evaluate')).toEqual([{ expression: 'the clock' }]);
  expect(worker.askedOf('Debugger.disable')).toHaveLength(1);
});

test('another user agent is given where the Scenario has one', async () => {
  expect((await watchPage()).session.askedOf('Emulation.setUserAgentOverride')).toEqual([]);
  expect((await watchPage({}, 'Mine/1')).session.askedOf('Emulation.setUserAgentOverride')).toEqual([
    { userAgent: 'Mine/1' },
  ]);
});

test.each([
  ['alert', false, false],
  ['alert', true, false],
  ['prompt', true, false],
  ['confirm', false, false],
  ['confirm', true, true],
  ['beforeunload', false, true],
  ['beforeunload', true, true],
])('a dialog of type %s is answered, in a journey (%s) or not, with %s', async (type, isJourney, accept) => {
  const { session } = await watchPage({ isJourney });
  session.emit('Page.javascriptDialogOpening', { type });
  expect(session.askedOf('Page.handleJavaScriptDialog')).toEqual([{ accept }]);
});
