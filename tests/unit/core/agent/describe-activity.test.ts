import { expect, test } from 'vitest';
import { describeActivity } from '#core/agent/page-activity/describe-activity.ts';
import type { PageDocument } from '#core/agent/page-activity/page-documents.ts';
import { requireOnePage, requireWebPage } from '#core/agent/page-activity/require-one-page.ts';
import { describeExcessOf, FrameSnapshotSchema } from '#core/metrics/frame-snapshot.ts';
import { mostFrames } from '#core/metrics/snapshot-bounds.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import {
  makeFrame,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
  startEpochMs,
} from '../metrics/support/snapshot-parts.ts';

const takenEpochMs = startEpochMs + 5000;
const document: PageDocument = { id: '1', url: pageUrl, startEpochMs };
const next: PageDocument = { id: '2', url: 'http://origin.test/next', startEpochMs: startEpochMs + 4000 };
const about = { documents: [document], frames: [], takenEpochMs };

test('a request with a time that is none is kept without it, and the Visit with a remark (puppeteer/puppeteer#1094)', () => {
  const cancelled = { ...makeRequest({ id: '2', url: 'http://origin.test/image' }), startEpochMs: 0, endEpochMs: -1 };
  const activity = describeActivity({ ...about, requests: [makeRequest({ id: '1', url: pageUrl }), cancelled] });
  expect(activity.requests[1]).toMatchObject({ id: '2', endEpochMs: null, isIncomplete: true });
  expect(activity.remarks).toMatchObject([{ code: 'incomplete-requests' }]);
  expect(() => SnapshotSchema.parse({ ...makeSnapshot(), ...activity })).not.toThrow();
});

test('a Visit without such requests has no remark', () => {
  const activity = describeActivity({ ...about, requests: [makeRequest({ id: '1', url: pageUrl })] });
  expect(activity).not.toHaveProperty('remarks');
  expect(activity.documents).toEqual([{ url: pageUrl, startEpochMs }]);
});

test('what an early hint named and the browser reports nothing of is remarked', () => {
  const used = makeRequest({ id: '2', url: 'http://origin.test/used.css' });
  const hintedUrls = [used.url, 'http://origin.test/unused.css'];
  const { remarks } = describeActivity({ ...about, requests: [used], hintedUrls });
  expect(remarks).toHaveLength(1);
  expect(remarks![0]).toMatchObject({ code: 'unused-hints' });
  expect(remarks![0]!.detail).toContain('unused.css');
  expect(remarks![0]!.detail).not.toContain('/used.css');
});

test('a hint whose object the page itself reports, in any frame and with any fragment, was used', () => {
  const [css, font] = ['http://origin.test/a.css', 'http://origin.test/b.woff2'];
  const resources = [{ ...makeResource({ name: `${font}#part` }), initiatorType: 'early-hints' }];
  const frames = [makeFrame(), makeFrame({ path: [0], resources })];
  const used = { ...about, requests: [makeRequest({ id: '2', url: `${css}#x` })], frames };
  expect(describeActivity({ ...used, hintedUrls: [`${css}#y`, font] }).remarks ?? []).toEqual([]);
  expect(describeActivity({ ...used, frames: [makeFrame()], hintedUrls: [css, font] }).remarks).toMatchObject([
    { code: 'unused-hints', detail: expect.stringMatching(/named 1 object .*b\.woff2$/) as string },
  ]);
});

test('frames that are there and did not answer are remarked by their addresses', () => {
  const silentUrls = ['http://ads.test/one', 'http://ads.test/two'];
  const { remarks } = describeActivity({ ...about, requests: [], silentUrls });
  expect(remarks).toMatchObject([{ code: 'silent-frames' }]);
  expect(remarks![0]!.detail).toMatch(/^2 frames .*: http:\/\/ads\.test\/one, http:\/\/ads\.test\/two$/);
});

test('scripts that may be the page’s are remarked by their addresses', () => {
  const { remarks } = describeActivity({ ...about, requests: [], unassignedUrls: ['http://origin.test/inner.js'] });
  expect(remarks).toMatchObject([
    { code: 'unassigned-scripts', detail: expect.stringMatching(/inner\.js$/) as string },
  ]);
});

test('a page of more frames or requests than a Snapshot takes is too large, and the number is named', () => {
  const frames = Array.from({ length: mostFrames }, () => makeFrame());
  expect(() => describeActivity({ ...about, requests: [], frames, silentUrls: [''] })).toThrow(
    expect.objectContaining({ code: 'too-large', message: 'The page has 10001 frames; a Snapshot takes 10000' }),
  );
  const request = makeRequest({ id: '1', url: pageUrl });
  expect(() => describeActivity({ ...about, requests: Array.from({ length: 50_001 }, () => request) })).toThrow(
    expect.objectContaining({ code: 'too-large', message: 'The page has 50001 requests; a Snapshot takes 50000' }),
  );
});

test('a list of a frame that is longer than a Snapshot takes is named; a fault of the probe is not taken for it', () => {
  const tooMany = FrameSnapshotSchema.safeParse({
    ...makeFrame(),
    prefetchUrls: Array.from({ length: 10_001 }, () => ''),
  });
  expect(describeExcessOf(tooMany.error)).toBe(
    'A frame of the page has more than 10000 prefetchUrls, which is more than a Snapshot takes',
  );
  const tooDeep = FrameSnapshotSchema.safeParse(makeFrame({ path: Array.from({ length: 65 }, () => 0) }));
  expect(describeExcessOf(tooDeep.error)).toBe(
    'A frame of the page is within more than 64 others, which is deeper than a Snapshot takes',
  );
  expect(describeExcessOf(FrameSnapshotSchema.safeParse({ ...makeFrame(), title: 7 }).error)).toBeNull();
  expect(describeExcessOf(FrameSnapshotSchema.safeParse({ ...makeFrame(), title: 'x'.repeat(2000) }).error)).toBeNull();
  expect(describeExcessOf(new Error('gone'))).toBeNull();
});

test('a page that leaves while it is read out fails, and both addresses are named (puppeteer/puppeteer#12479)', () => {
  const recorder = { documents: [document, next], mainDocument: null };
  const readOut = { documentCount: 1, frames: [makeFrame()], takenEpochMs };
  expect(() => requireOnePage(recorder, readOut)).toThrow(
    expect.objectContaining({
      code: 'navigated-away',
      message: `The page ${pageUrl} left for http://origin.test/next while it was read out`,
    }),
  );
  expect(() => requireOnePage({ ...recorder, documents: [document] }, readOut)).not.toThrow();
  expect(() => requireOnePage(recorder, { ...readOut, documentCount: 2 })).not.toThrow();
});

test('so does one whose report is of a later document, of which the browser has said nothing yet', () => {
  const frames = [makeFrame({ timeOrigin: takenEpochMs + 1, url: next.url })];
  expect(() =>
    requireOnePage({ documents: [document], mainDocument: null }, { documentCount: 1, frames, takenEpochMs }),
  ).toThrow(expect.objectContaining({ code: 'navigated-away' }));
});

test.each(['about:blank', 'blob:http://origin.test/1'])('a page that leads itself to %s is refused', (url) => {
  expect(() => requireWebPage({ documents: [document, { ...next, url }], mainDocument: null })).toThrow(
    expect.objectContaining({ code: 'unsupported-content' }),
  );
});
