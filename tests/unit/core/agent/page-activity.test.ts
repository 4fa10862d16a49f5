import { describe, expect, test } from 'vitest';
import type { ActivityEvent } from '#core/agent/page-activity/activity-event.ts';
import {
  answered,
  began,
  came,
  data,
  ended,
  endsOf,
  loaded,
  main,
  page,
  play,
  startEpochMs,
} from './support/play-activity.ts';

const unread = { mayStayUnread: true };

describe('a request has one end', () => {
  test('a document is not replaced by itself where its navigation is reported late, as to the extension in Firefox', () => {
    const navigated = (atMs: number): ActivityEvent => ({
      kind: 'navigation-began',
      frameId: main,
      navigationId: null,
      atEpochMs: startEpochMs + atMs,
    });
    const unnamed = { type: 'document' as const, documentId: null, url: 'http://origin.test/' };
    const activity = play(
      began('first', 0, unnamed),
      navigated(2),
      answered('first', 10),
      came(null, 12, { url: 'http://origin.test/#top' }),
      began('image', 15, { type: 'image', documentId: null }),
      ended('first', 20),
      // A second time, by a service worker and so without a request.
      navigated(50),
      came(null, 60, { url: 'http://origin.test/' }),
    );
    expect(endsOf(activity)).toEqual({ first: [20, 'network'], image: [60, 'document-replaced'] });
    expect(activity.documents.map(({ startEpochMs: at }) => at! - startEpochMs)).toEqual([0, 50]);
  });

  test('the browser’s error page in a frame adds nothing to the answer that it forbade (puppeteer/puppeteer#1879)', () => {
    const activity = play(
      ...page,
      { kind: 'frame-came', frameId: 'frame', parentFrameId: main },
      began('denied', 30, { type: 'document', frameId: 'frame' }),
      answered('denied', 340),
      ended('denied', 341, 'net::ERR_BLOCKED_BY_RESPONSE (other)'),
      came('denied', 341, { frameId: 'frame', url: 'chrome-error://chromewebdata/' }),
      data('denied', 350, 250_501),
      ended('denied', 354, null, { receivedBytes: 250_501 }),
    );
    expect(activity.requests[1]).toMatchObject({
      endEpochMs: startEpochMs + 341,
      failure: 'net::ERR_BLOCKED_BY_RESPONSE (other)',
      receivedBytes: 100,
      decodedBytes: null,
    });
  });

  test('one that was ended by its length takes only its size from the browser’s own end', () => {
    const events = [...page, began('fetch', 30, unread), answered('fetch', 130, 200, 2), data('fetch', 131, 2)];
    const activity = play(...events, ended('fetch', 900, null, { receivedBytes: 181 }));
    expect(endsOf(activity).fetch).toEqual([131, 'length']);
    expect(activity.requests[1]).toMatchObject({ receivedBytes: 181, receivedBodyBytes: 81 });
  });

  test('a redirect goes on under the same id, and the page waits for its last hop', () => {
    const activity = play(...page, loaded, began('a', 30), ended('a', 60), began('a', 60, { hop: 1 }));
    expect(activity.isQuiet).toBe(false);
    activity.apply(ended('a', 90));
    expect(activity.isQuiet).toBe(true);
    expect(activity.requests.slice(1).map(({ endEpochMs }) => endEpochMs)).toEqual([
      startEpochMs + 60,
      startEpochMs + 90,
    ]);
  });
});

test('what the browser’s own viewer asks for is no part of the page, and the PDF that it shows is', () => {
  const shown = { type: 'document', url: 'http://origin.test/a.pdf' } as const;
  const activity = play(
    ...page,
    { kind: 'frame-came', frameId: 'pdf', parentFrameId: main },
    began('pdf', 30, { ...shown, frameId: 'pdf' }),
    came('pdf', 40, { frameId: 'pdf' }),
    ended('pdf', 41),
    { kind: 'frame-came', frameId: 'viewer', parentFrameId: 'pdf' },
    came('viewer', 50, { frameId: 'viewer', url: 'chrome-extension://viewer/index.html' }),
    { kind: 'frame-came', frameId: 'content', parentFrameId: 'viewer' },
    began('content', 60, { ...shown, frameId: 'content' }),
    loaded,
  );
  expect(activity.requests.map(({ id }) => id)).toEqual(['page', 'pdf']);
  expect(activity.isQuiet).toBe(true);
});

describe('what has no end by its content type', () => {
  const camera = {
    kind: 'answer-came',
    id: 'camera',
    fields: { status: 200 },
    mimeType: 'multipart/x-mixed-replace; boundary=b',
  } as const;

  test('a camera’s pictures are not waited for, and count for no latency', () => {
    const activity = play(...page, loaded, began('camera', 30, { type: 'image' }));
    expect(activity.isQuiet).toBe(false);
    activity.apply(camera);
    expect(activity.isQuiet).toBe(true);
    expect(activity.requests[1]).toMatchObject({ type: 'media', endEpochMs: null });
  });

  test('a document of that type is one all the same', () => {
    const activity = play(began('camera', 0, { type: 'document' }), camera);
    expect(activity.requests[0]).toMatchObject({ type: 'document' });
  });
});

describe('targets', () => {
  const target = (targetId: string, parentTargetId: string): ActivityEvent => ({
    kind: 'target-came',
    targetId,
    parentTargetId,
  });

  test('a worker takes the workers that it started along (microsoft/playwright#27376)', () => {
    const activity = play(
      ...page,
      loaded,
      target('outer', 'page'),
      target('inner', 'outer'),
      began('data', 30, { frameId: null, documentId: null, targetId: 'inner' }),
      { kind: 'target-gone', targetId: 'outer', atEpochMs: startEpochMs + 300 },
    );
    expect(endsOf(activity).data).toEqual([300, 'target-gone']);
    expect(activity.isQuiet).toBe(true);
  });

  test('the script of a worker is asked for by the page and ends in the worker', () => {
    const activity = play(...page, loaded, began('script', 30, { type: 'script', documentId: null, targetId: 'page' }));
    activity.apply({ kind: 'answer-came', id: 'script', fields: { status: 200 }, targetId: 'worker' });
    activity.apply({ kind: 'target-gone', targetId: 'worker', atEpochMs: startEpochMs + 300 });
    expect(endsOf(activity).script).toEqual([300, 'target-gone']);
  });

  test('the document of a frame outlives the process that reported its beginning', () => {
    const events = [...page, began('framed', 30, { type: 'document', frameId: 'frame', targetId: 'old' })];
    const activity = play(...events, { kind: 'target-gone', targetId: 'old', atEpochMs: startEpochMs + 60 });
    expect(endsOf(activity).framed).toEqual([null, 'none']);
  });
});

describe('a page that is loaded ahead (DataDog/browser-sdk#2859)', () => {
  const ahead = [
    ...page,
    loaded,
    began('ahead', 30, { type: 'document', frameId: '7', documentId: null, isPrerendered: true }),
    began('ahead-image', 60, { type: 'image', frameId: '7', documentId: 'ahead-document', isPrerendered: true }),
  ];

  test('is no part of the page while that stays', () => {
    const activity = play(...ahead);
    expect(activity.requests.map(({ id }) => id)).toEqual(['page']);
    expect(activity.isQuiet).toBe(true);
  });

  test('is waited for once it is shown, with what it still fetches', () => {
    const shown = came('ahead-document', 1500, { url: 'http://origin.test/ahead' });
    const activity = play(...ahead, ended('ahead', 50), shown, loaded);
    expect(activity.isQuiet).toBe(false);
    activity.apply(ended('ahead-image', 1700));
    expect(activity.isQuiet).toBe(true);
  });

  test('is the page once it is shown', () => {
    const activity = play(
      ...ahead,
      ended('ahead', 50),
      ended('ahead-image', 90),
      came('ahead-document', 1500, { url: 'http://origin.test/ahead' }),
    );
    expect(activity.requests.map(({ id, isMainDocument }) => [id, isMainDocument])).toEqual([
      ['page', true],
      ['ahead', true],
      ['ahead-image', false],
    ]);
  });
});

describe('a navigation that gives a file: the page stays', () => {
  const asked = began('file', 30, { type: 'document' });
  const given: ActivityEvent = {
    kind: 'file-given',
    url: 'http://origin.test/file',
    atEpochMs: startEpochMs + 50,
  };

  test.each([
    ['before the end of its request', [answered('file', 40), given, ended('file', 60)]],
    ['after it', [answered('file', 40), ended('file', 45), given]],
  ])('as Firefox reports %s', (_, events) => {
    const activity = play(...page, loaded, asked, ...events);
    expect(activity.isNavigating).toBe(false);
    expect(activity.isQuiet).toBe(true);
    expect(activity.mainDocument?.id).toBe('page');
    expect(activity.requests[1]).toMatchObject({ failure: 'The address gives a file to download' });
  });

  test('a file that no navigation asked for, as of a link that only offers it, changes nothing', () => {
    const activity = play(...page, asked, { ...given, url: 'http://origin.test/other' });
    expect(activity.isNavigating).toBe(true);
  });

  test('without a page before, there is none to wait for', () => {
    expect(play(asked, answered('file', 40), ended('file', 45), given).isQuiet).toBe(true);
  });
});
