import { expect, test } from 'vitest';
import { explainNavigation, readDocumentFailure, readShownFailure } from '#core/metrics/page-failure.ts';
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

test.each([
  ['net::ERR_ABORTED', 503, 'http-server-error'],
  ['net::ERR_ABORTED', 204, 'empty-response'],
  ['net::ERR_ABORTED', 304, 'empty-response'],
  // As to the address of another program.
  ['net::ERR_ABORTED', 302, 'unsupported-content'],
  ['The address leads to no page of the web', 302, 'unsupported-content'],
  ['net::ERR_ABORTED', null, 'aborted'],
  ['net::ERR_UNSAFE_PORT', 302, 'connection-failed'],
  ['net::ERR_INVALID_HTTP_RESPONSE', null, 'unsupported-content'],
  ['NS_ERROR_DOM_INVALID_HEADER_VALUE', null, 'unsupported-content'],
  // So later versions call a connection that is closed before the answer.
  ['NS_ERROR_NET_EMPTY_RESPONSE', null, 'connection-reset'],
  ['net::ERR_CERTIFICATE_TRANSPARENCY_REQUIRED', null, 'tls-failure'],
])('a navigation that ends with %s after the status %s has the code %s', (errorText, status, code) => {
  expect(explainNavigation(errorText, status)).toMatchObject({ code });
});
