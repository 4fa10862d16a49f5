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

/** Events as Chrome 156 sent them for pages made after public reports, without what no decision needs. */
const unread = { mayStayUnread: true };
const exchange = {
  ...{ method: 'GET', statusText: null, mimeType: null, serverAddress: null, headers: null },
  phases: { dns: null, connect: null, tls: null, send: null },
};
const silence = (atMs: number): ActivityEvent => ({ kind: 'silence', atEpochMs: startEpochMs + atMs });

describe('a body that no script reads has no end in Chrome (microsoft/playwright#6666)', () => {
  const fetched = [...page, began('fetch', 30, unread)];

  test('it ends with the last byte that its head announced', () => {
    const activity = play(...fetched, answered('fetch', 130, 200, 2), data('fetch', 131, 2), loaded);
    expect(endsOf(activity).fetch).toEqual([131, 'length']);
    expect(activity.requests[1]).toMatchObject({ failure: null, receivedBytes: 102, decodedBytes: 2 });
    expect(activity.requests[1]!.receivedBodyBytes).toBe(2);
    expect(activity.isQuiet).toBe(true);
  });

  test('bytes that are still to come keep the page from settling', () => {
    const activity = play(...fetched, answered('fetch', 130, 200, 300_000), data('fetch', 131, 2), loaded);
    expect(activity.isQuiet).toBe(false);
  });

  test('without a length, it ends with the last data, once nothing has come for two seconds', () => {
    const events = [...fetched, answered('fetch', 130), data('fetch', 131, 76), loaded];
    expect(play(...events, silence(2100)).isQuiet).toBe(false);
    const activity = play(...events, silence(2200));
    expect(endsOf(activity).fetch).toEqual([131, 'last-data']);
    expect(activity.isQuiet).toBe(true);
  });

  test('one that goes on after a pause is waited for again, and ends when it ends', () => {
    for (const events of [[], [data('fetch', 131, 76)]]) {
      const activity = play(...fetched, answered('fetch', 130), ...events, loaded, silence(2200));
      expect(activity.isQuiet).toBe(true);
      activity.apply(data('fetch', 3000, 20));
      expect(activity.isQuiet).toBe(false);
      activity.apply(ended('fetch', 3001));
      expect(endsOf(activity).fetch).toEqual([3001, 'network']);
    }
  });

  test('an answer to a question for its head alone has no body, whatever its length', () => {
    const activity = play(...fetched);
    activity.requests[1]!.exchange = { ...exchange, method: 'HEAD' };
    activity.apply(answered('fetch', 130, 200, 5000));
    activity.apply(ended('fetch', 140, 'net::ERR_ABORTED'));
    expect(activity.requests[1]).toMatchObject({ failure: null, decodedBytes: 0 });
  });

  test('one of which the browser takes no byte has no time of its end, and is not waited for', () => {
    const activity = play(...fetched, answered('fetch', 130, 200, 20_000_000), loaded, silence(2200));
    expect(endsOf(activity).fetch).toEqual([null, 'never']);
    expect(activity.isQuiet).toBe(true);
  });

  // A style sheet that transforms its document, and a document whose player fetches it.
  test.each([
    ['style-sheet', 'text/xsl'],
    ['document', 'audio/wav'],
  ] as const)('so ends a %s of %s, which the browser hands over', (type, mimeType) => {
    const handedOver = began('other', 110, { type, frameId: 'inner', documentId: 'page' });
    const head = { ...answered('other', 130), mimeType } as ActivityEvent;
    const activity = play(...page, handedOver, head, loaded, silence(2200));
    expect(endsOf(activity).other).toEqual([130, 'last-data']);
    expect(activity.isQuiet).toBe(true);
    const plain = { ...answered('other', 130), mimeType: 'text/css' } as ActivityEvent;
    expect(endsOf(play(...page, handedOver, plain, loaded, silence(2200))).other).toEqual([null, 'none']);
  });

  test('what is asked for in vain, with no answer, is waited for', () => {
    expect(play(...fetched, loaded, silence(9000)).isQuiet).toBe(false);
  });

  test.each([
    [204, null],
    [200, 0],
  ])('an answer of %i and length %s is whole, though Chrome calls it aborted', (status, length) => {
    const activity = play(...fetched, answered('fetch', 130, status, length), ended('fetch', 132, 'net::ERR_ABORTED'));
    expect(activity.requests[1]).toMatchObject({ failure: null, endEpochMs: startEpochMs + 132, decodedBytes: 0 });
  });

  test('a fetch that reads a stream of events has no end, as EventSource', () => {
    const activity = play(...fetched, loaded);
    const exchange = {
      method: 'GET',
      statusText: null,
      mimeType: 'text/event-stream',
      serverAddress: null,
      phases: { dns: null, connect: null, tls: null, send: null },
      headers: null,
    };
    activity.apply({ kind: 'answer-came', id: 'fetch', fields: { status: 200, exchange } });
    expect(activity.isQuiet).toBe(true);
    expect(activity.requests[1]!.type).toBe('event-source');
  });
});

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

/** Another document that takes the place of the page. */
const successor = [began('next', 40, { type: 'document' }), came('next', 60), ended('next', 61)];

describe('what a document had asked for ends when another takes its place', () => {
  test('a page that leads itself elsewhere while its image is asked for (puppeteer/puppeteer#1094)', () => {
    const activity = play(
      ...page,
      began('image', 30, { type: 'image' }),
      began('next', 40, { type: 'document' }),
      answered('next', 140),
      came('next', 150),
      began('next-image', 155, { type: 'image', documentId: 'next' }),
      ended('next', 160),
    );
    expect(endsOf(activity)).toEqual({
      page: [20, 'network'],
      image: [150, 'document-replaced'],
      next: [160, 'network'],
      'next-image': [null, 'none'],
    });
    expect(activity.documents.map(({ url }) => url)).toEqual(['http://origin.test/page', 'http://origin.test/next']);
    activity.apply(ended('next-image', 400));
    expect(activity.isQuiet).toBe(false);
    activity.apply(loaded);
    expect(activity.isQuiet).toBe(true);
  });

  test('without ids of documents, what began before the navigation ends, and what an early hint began does not', () => {
    const nameless = { documentId: null };
    const activity = play(
      began('page', 0, { type: 'document', ...nameless }),
      came(null, 12),
      began('image', 30, { type: 'image', ...nameless }),
      { kind: 'navigation-began', frameId: main, navigationId: 'n', atEpochMs: startEpochMs + 40 },
      began('next', 42, { type: 'document', ...nameless }),
      began('hinted', 60, { type: 'style-sheet', ...nameless }),
      came(null, 150),
    );
    expect(endsOf(activity)).toMatchObject({
      image: [150, 'document-replaced'],
      hinted: [null, 'none'],
      next: [null, 'none'],
    });
  });

  test('a document that has another id than its request, as in extensions, does not end that, though its navigation is reported late', () => {
    const nameless = { documentId: null };
    const activity = play(
      began('page', 0, { type: 'document', ...nameless }),
      { kind: 'navigation-began', frameId: main, navigationId: null, atEpochMs: startEpochMs + 40 },
      came('a document', 50, { url: 'http://origin.test/page' }),
      began('image', 60, { type: 'image', documentId: 'a document' }),
    );
    expect(endsOf(activity)).toEqual({ page: [null, 'none'], image: [null, 'none'] });
    activity.apply(ended('page', 70));
    expect(endsOf(activity).page).toEqual([70, 'network']);
    expect(activity.isNavigating).toBe(false);
  });

  test('a page that stops itself while it comes ends then, and is no failure; what it asked for is given up', () => {
    const activity = play(
      began('page', 0, { type: 'document' }),
      answered('page', 10),
      came('page', 12),
      began('image', 20, { type: 'image' }),
      ended('image', 100, 'NS_BINDING_ABORTED'),
      ended('page', 101, 'NS_BINDING_ABORTED'),
    );
    expect(activity.requests.map(({ failure }) => failure)).toEqual([null, 'NS_BINDING_ABORTED']);
    expect(endsOf(activity).page).toEqual([101, 'network']);
    expect(activity.mainDocument?.id).toBe('page');
    // There is no load event of it.
    expect(activity.isQuiet).toBe(false);
  });

  test('a navigation to no content leaves the page, and its load event, as they were', () => {
    const activity = play(...page, began('image', 30, { type: 'image' }), began('nothing', 40, { type: 'document' }));
    activity.apply(ended('nothing', 90, 'net::ERR_ABORTED'));
    activity.apply(ended('image', 400));
    expect(activity.isQuiet).toBe(false);
    activity.apply(loaded);
    expect(activity.isQuiet).toBe(true);
    expect(activity.mainDocument?.id).toBe('page');
  });

  test('what a document asks for when it has been replaced has ended already, unless it is shown again', () => {
    const late = { documentId: 'page' };
    const activity = play(...page, loaded, ...successor);
    activity.apply(loaded);
    activity.apply(began('report', 62, late));
    expect(endsOf(activity).report).toEqual([62, 'document-replaced']);
    expect(activity.isQuiet).toBe(true);
    activity.apply({ ...came('page', 200), isRestored: true } as ActivityEvent);
    activity.apply(began('image', 210, { type: 'image', ...late }));
    activity.apply(began('other', 220, { type: 'image', documentId: 'next' }));
    expect(endsOf(activity)).toMatchObject({ image: [null, 'none'], other: [220, 'document-replaced'] });
  });

  test('without ids of documents, what names the page that goes as its own ends with it', () => {
    const asked = { documentId: null, documentUrl: 'http://origin.test/page' };
    const activity = play(
      ...page,
      { kind: 'navigation-began', frameId: main, navigationId: 'n', atEpochMs: startEpochMs + 40 },
      began('next', 42, { type: 'document', documentId: null, documentUrl: asked.documentUrl }),
      began('report', 140, asked),
      began('hinted', 141, { type: 'style-sheet', documentId: null, documentUrl: 'http://origin.test/next' }),
      came(null, 150, { url: 'http://origin.test/next' }),
      began('late report', 155, asked),
      // By a page that gave itself the earlier address.
      began('own', 300, asked),
    );
    expect(endsOf(activity)).toMatchObject({
      report: [150, 'document-replaced'],
      'late report': [155, 'document-replaced'],
      own: [null, 'none'],
      hinted: [null, 'none'],
      next: [null, 'none'],
    });
  });

  // As Chrome 156 reports it to an extension on a busy machine.
  test('what a frame asks for first may be reported before its document, as of the empty one that it replaces', () => {
    const empty = { frameId: 'inner', documentId: 'empty' };
    const url = 'http://origin.test/framed';
    const activity = play(
      ...page,
      { kind: 'frame-came', frameId: 'inner', parentFrameId: main },
      began('framed', 30, { type: 'document', url, ...empty }),
      began('written', 35, { type: 'image', ...empty }),
      answered('framed', 40),
      ended('framed', 45),
      began('image', 60, { type: 'image', ...empty }),
      came('its id', 65, { frameId: 'inner', url }),
      loaded,
    );
    expect(endsOf(activity)).toMatchObject({ written: [65, 'document-replaced'], image: [null, 'none'] });
    expect(activity.isQuiet).toBe(false);
    activity.apply(ended('image', 400));
    expect(endsOf(activity).image).toEqual([400, 'network']);
    // A later document of the frame is as certain of what came before it.
    const next = { url: 'http://origin.test/next', frameId: 'inner' };
    activity.apply(began('next', 500, { type: 'document', documentId: 'its id', ...next }));
    activity.apply(answered('next', 510));
    activity.apply(began('report', 520, { frameId: 'inner', documentId: 'its id' }));
    activity.apply(came('another id', 530, next));
    expect(endsOf(activity).report).toEqual([530, 'document-replaced']);
  });

  test('so has what a frame asks for that was removed', () => {
    const inFrame = { frameId: 'inner', documentId: 'framed' };
    const activity = play(
      ...page,
      { kind: 'frame-came', frameId: 'inner', parentFrameId: main },
      began('framed', 30, { type: 'document', ...inFrame }),
      came('framed', 40, { frameId: 'inner' }),
      ended('framed', 50),
      { kind: 'frame-gone', frameId: 'inner', atEpochMs: startEpochMs + 200 },
      began('report', 201, inFrame),
    );
    expect(endsOf(activity).report).toEqual([201, 'document-replaced']);
  });

  test('a frame that is removed takes the frames in it along', () => {
    const activity = play(
      ...page,
      { kind: 'frame-came', frameId: 'outer', parentFrameId: main },
      { kind: 'frame-came', frameId: 'inner', parentFrameId: 'outer' },
      began('document', 30, { type: 'document', frameId: 'inner' }),
      { kind: 'frame-gone', frameId: 'outer', atEpochMs: startEpochMs + 200 },
    );
    expect(endsOf(activity).document).toEqual([200, 'document-replaced']);
  });

  test('a page that is shown again as it was left has loaded already', () => {
    const activity = play(...page, loaded, ...successor);
    const restored = came('page', 200);
    activity.apply({ ...restored, isRestored: true } as ActivityEvent);
    expect(activity.isQuiet).toBe(true);
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
