import { expect, test } from 'vitest';
import { readDocumentFailure, readShownFailure } from '#core/metrics/page-failure.ts';
import { makeFrame, makeNavigation, makeRequest, pageUrl } from './support/snapshot-parts.ts';

test.each([
  [404, { code: 'http-client-error', detail: 'HTTP 404' }],
  [503, { code: 'http-server-error', detail: 'HTTP 503' }],
  [407, { code: 'proxy-failure', detail: 'HTTP 407' }],
  [200, null],
])(
  'a page with the status %d has failed, or not, by the event of the browser and by its own entry',
  (status, failure) => {
    expect(readDocumentFailure(makeRequest({ url: pageUrl, startMs: 0, status, isMainDocument: true }))).toEqual(
      failure,
    );
    const navigation = makeNavigation({ responseStatus: status });
    expect(readShownFailure({ frames: [makeFrame({ navigation })] })).toEqual(failure);
  },
);

test('a page that does not say its status has not failed by it, nor by that of a frame in it', () => {
  const page = makeFrame({ navigation: makeNavigation({ responseStatus: null }) });
  const frame = makeFrame({ path: [0], navigation: makeNavigation({ responseStatus: 404 }) });
  expect(readShownFailure({ frames: [page, frame] })).toBeNull();
});
