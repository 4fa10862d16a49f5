import { describe, expect, test } from 'vitest';
import type { ActivityEvent } from '#core/agent/page-activity/activity-event.ts';
import {
  answered,
  began,
  came,
  ended,
  endsOf,
  loaded,
  main,
  page,
  play,
  startEpochMs,
} from './support/play-activity.ts';

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

  test('the browser’s own page about an address that failed is not waited for, though it has that address', () => {
    const next = { documentId: null, url: 'http://closed.test/' };
    const activity = play(...page, loaded, began('next', 40, { type: 'document', ...next }));
    activity.apply(ended('next', 50, 'NS_ERROR_CONNECTION_REFUSED'));
    expect(activity.isQuiet).toBe(false);
    activity.apply(came(null, 60, next));
    expect(activity.isQuiet).toBe(true);
    expect(activity.mainDocument?.failure).toBe('NS_ERROR_CONNECTION_REFUSED');
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

  test.each([
    ['document-replaced', successor],
    ['target-gone', [{ kind: 'target-gone', targetId: 'worker', atEpochMs: startEpochMs + 60 }]],
  ] as const)('what ended so is not waited for where it is redirected later: %s', (by, events) => {
    const asked = began('report', 30, { targetId: 'worker' });
    const activity = play(...page, asked, ...events, loaded, began('report', 80, { hop: 1 }));
    expect(activity.isQuiet).toBe(true);
    activity.apply(ended('report', 900));
    expect(endsOf(activity).report).toEqual([80, by]);
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
