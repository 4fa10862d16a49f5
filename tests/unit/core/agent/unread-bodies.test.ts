import { describe, expect, test } from 'vitest';
import type { ActivityEvent } from '#core/agent/page-activity/activity-event.ts';
import { answered, began, data, ended, endsOf, loaded, page, play, startEpochMs } from './support/play-activity.ts';

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

  test('so is one of 304, whose body is that of the cache, of a size that is not known', () => {
    const activity = play(...fetched, answered('fetch', 130, 304), ended('fetch', 132));
    expect(activity.requests[1]).toMatchObject({ failure: null, decodedBytes: null });
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
