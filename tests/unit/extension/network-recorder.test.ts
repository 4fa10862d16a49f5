import { expect, test } from 'vitest';
import type { WebNavigation, WebRequest } from 'webextension-polyfill';
import { TabRecorder } from '#extension/background/visit/tab-recorder.ts';

const details = {
  requestId: '1',
  url: 'http://origin.example/for-ever',
  type: 'main_frame',
  tabId: 1,
  frameId: 0,
  parentFrameId: -1,
  method: 'GET',
  timeStamp: 1000,
  thirdParty: false,
};

/** A navigation as far as Chrome's webRequest reports one whose redirects never end. */
function followRedirects(): TabRecorder {
  const recorder = new TabRecorder();
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  recorder.redirect({
    ...details,
    statusCode: 302,
    fromCache: false,
    redirectUrl: details.url,
    statusLine: 'HTTP/1.1 302 Found',
  } as WebRequest.OnBeforeRedirectDetailsType);
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  return recorder;
}
const aborted = { ...details, error: 'net::ERR_ABORTED', fromCache: false } as WebRequest.OnErrorOccurredDetailsType;

test('a page that did not come has not settled before Chrome says why, however late', () => {
  const recorder = followRedirects();
  recorder.fail(aborted);
  expect(recorder.isQuiet()).toBe(false);
  recorder.noteNavigationError('net::ERR_TOO_MANY_REDIRECTS');
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.mainDocument?.failure).toBe('net::ERR_TOO_MANY_REDIRECTS');
});

test('why it did not come counts too when it was reported before the end of the request', () => {
  const recorder = followRedirects();
  recorder.noteNavigationError('net::ERR_TOO_MANY_REDIRECTS');
  recorder.fail(aborted);
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.mainDocument?.failure).toBe('net::ERR_TOO_MANY_REDIRECTS');
});

test('a navigation that Chrome calls aborted in both words stays so, and ends', () => {
  const recorder = followRedirects();
  recorder.fail(aborted);
  recorder.noteNavigationError('net::ERR_ABORTED');
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.mainDocument?.failure).toBe('net::ERR_ABORTED');
});

test('Firefox says why in the end of the request, and nothing more is waited for', () => {
  const recorder = followRedirects();
  recorder.fail({ ...aborted, error: 'NS_ERROR_REDIRECT_LOOP' });
  expect(recorder.isQuiet()).toBe(true);
});

test('a look into the cache alone, which Chrome calls a request that failed, is no object; a page that is not in it is one', () => {
  const recorder = new TabRecorder();
  const font = { ...details, requestId: '2', url: 'http://origin.example/font.woff2', type: 'font' };
  recorder.begin(font as WebRequest.OnBeforeRequestDetailsType);
  recorder.fail({ ...font, error: 'net::ERR_CACHE_MISS', fromCache: false } as WebRequest.OnErrorOccurredDetailsType);
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  recorder.fail({
    ...details,
    error: 'net::ERR_CACHE_MISS',
    fromCache: false,
  } as WebRequest.OnErrorOccurredDetailsType);
  expect(recorder.requests).toMatchObject([{ url: details.url, failure: 'net::ERR_CACHE_MISS' }]);
  expect(recorder.isQuiet()).toBe(true);
});

test('what has no end that anyone waits for, as a video, keeps no page from settling', () => {
  const recorder = new TabRecorder();
  const types = ['media', 'websocket', 'webtransport', 'beacon', 'csp_report', 'web_manifest', 'speculative'];
  for (const [index, type] of types.entries())
    recorder.begin({ ...details, requestId: `${index + 2}`, type } as WebRequest.OnBeforeRequestDetailsType);
  recorder.noteLoaded();
  expect(recorder.requests).toHaveLength(types.length);
  expect(recorder.isQuiet()).toBe(true);
});

test('it reports no time of sending, which webRequest notes before the connection', () => {
  const recorder = new TabRecorder();
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  recorder.send({ ...details, timeStamp: 1001 } as WebRequest.OnSendHeadersDetailsType);
  expect(recorder.requests[0]?.sentEpochMs).toBeNull();
});

test('what asks another origin for leave is no request of the script, which cannot set its header', () => {
  const recorder = new TabRecorder();
  const preflight = { ...details, requestId: '2', method: 'OPTIONS', type: 'xmlhttprequest' };
  recorder.begin(preflight as WebRequest.OnBeforeRequestDetailsType);
  recorder.send({
    ...preflight,
    requestHeaders: [{ name: 'Access-Control-Request-Method', value: 'GET' }],
  } as WebRequest.OnSendHeadersDetailsType);
  expect(recorder.requests).toMatchObject([{ type: 'preflight' }]);
});

test('what a service worker answers ends where Firefox calls it a redirect without a status, and settles (microsoft/playwright#15474)', () => {
  const recorder = new TabRecorder();
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  recorder.noteDocument({ ...details, transitionType: 'reload' } as unknown as WebNavigation.OnCommittedDetailsType);
  recorder.redirect({
    ...details,
    timeStamp: 1600,
    statusCode: 0,
    fromCache: false,
    redirectUrl: details.url,
    statusLine: '',
  } as WebRequest.OnBeforeRedirectDetailsType);
  recorder.noteLoaded();
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.requests).toMatchObject([{ endEpochMs: 1600, failure: null }]);
});

test('a page that is loaded ahead is no part of the one that stays (DataDog/browser-sdk#2859)', () => {
  const recorder = new TabRecorder();
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  const ahead = {
    ...details,
    requestId: '2',
    frameId: 7,
    url: 'http://origin.example/next',
    documentLifecycle: 'prerender',
  };
  recorder.begin(ahead as WebRequest.OnBeforeRequestDetailsType);
  expect(recorder.requests.map(({ url }) => url)).toEqual([details.url]);
  // Once it is shown, what it fetched is of the types that it is of any page.
  const image = { ...ahead, requestId: '3', type: 'image', documentId: 'ahead' };
  const requestHeaders = [{ name: 'Sec-Purpose', value: 'prefetch;prerender' }];
  recorder.begin(image as WebRequest.OnBeforeRequestDetailsType);
  for (const sent of [ahead, image]) recorder.send({ ...sent, requestHeaders } as WebRequest.OnSendHeadersDetailsType);
  const shown = { ...details, url: ahead.url, documentId: 'ahead' };
  recorder.noteDocument(shown as unknown as WebNavigation.OnCommittedDetailsType);
  expect(recorder.requests.map(({ type }) => type)).toEqual(['document', 'document', 'image']);
});

test('a fetch that reads a stream of events is not waited for, by the type of its answer', () => {
  const recorder = new TabRecorder();
  const stream = { ...details, requestId: '2', url: 'http://origin.example/events', type: 'xmlhttprequest' };
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  recorder.complete({ ...details, statusCode: 200, fromCache: false } as WebRequest.OnCompletedDetailsType);
  recorder.begin(stream as WebRequest.OnBeforeRequestDetailsType);
  recorder.noteDocument({ ...details, transitionType: 'link' } as unknown as WebNavigation.OnCommittedDetailsType);
  recorder.noteLoaded();
  expect(recorder.isQuiet()).toBe(false);
  recorder.noteType({
    ...stream,
    responseHeaders: [{ name: 'Content-Type', value: 'text/event-stream; charset=utf-8' }],
  } as unknown as WebRequest.OnResponseStartedDetailsType);
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.requests[1]!.type).toBe('event-source');
});

/** As Chrome reports the script of a worker that a worker started, and that of a service worker. */
function noteScripts(recorder: TabRecorder): void {
  const script = {
    ...details,
    requestId: '2',
    type: 'script',
    tabId: -1,
    frameId: -1,
    initiator: 'http://origin.example',
  };
  const note = (parts: object) => recorder.noteScript({ ...script, ...parts } as WebRequest.OnSendHeadersDetailsType);
  note({ url: 'http://origin.example/inner.js' });
  note({ url: 'http://origin.example/service.js', requestHeaders: [{ name: 'Service-Worker', value: 'script' }] });
  note({ url: 'http://origin.example/own.js', tabId: 1 });
  note({ url: 'http://other.example/elsewhere.js', initiator: 'http://other.example' });
}

test('a script without a tab is remarked where an origin of the page asked for it, and is no request of the page', () => {
  const recorder = new TabRecorder();
  noteScripts(recorder);
  expect(recorder.unassignedUrls).toEqual([]);
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  expect(recorder.unassignedUrls).toEqual(['http://origin.example/inner.js']);
  expect(recorder.requests).toHaveLength(1);
});

test.each([
  ['http://other.example/font', true],
  ['http://origin.example/font', false],
])('what fails in the same words as by CORS is that only between origins: %s', (url, isRefused) => {
  const recorder = new TabRecorder();
  const font = { ...details, requestId: '2', url, type: 'font', initiator: 'http://origin.example' };
  recorder.begin(font as WebRequest.OnBeforeRequestDetailsType);
  recorder.fail({ ...font, error: 'net::ERR_FAILED', fromCache: false } as WebRequest.OnErrorOccurredDetailsType);
  expect(recorder.requests.map(({ failure }) => failure)).toEqual([
    isRefused ? 'net::ERR_FAILED (cors)' : 'net::ERR_FAILED',
  ]);
});

test('a redirect to what is not fetched over the network ends, though no event follows', () => {
  const recorder = new TabRecorder();
  const image = { ...details, requestId: '2', url: 'http://origin.example/moved', type: 'image' };
  recorder.begin(image as WebRequest.OnBeforeRequestDetailsType);
  recorder.redirect({
    ...image,
    statusCode: 302,
    fromCache: false,
    redirectUrl: 'mailto:someone@origin.example',
    statusLine: 'HTTP/1.1 302 Found',
  } as WebRequest.OnBeforeRedirectDetailsType);
  recorder.noteLoaded();
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.requests).toMatchObject([{ endEpochMs: 1000, failure: 'net::ERR_UNKNOWN_URL_SCHEME' }]);
});

test('a page that leads to another program by a redirect stays as it was', () => {
  const recorder = new TabRecorder();
  recorder.begin({ ...details, url: 'http://origin.example/' } as WebRequest.OnBeforeRequestDetailsType);
  recorder.complete({ ...details } as WebRequest.OnCompletedDetailsType);
  const moved = { ...details, requestId: '2', url: 'http://origin.example/moved' };
  const redirectUrl = 'mailto:someone@origin.example';
  recorder.begin(moved as WebRequest.OnBeforeRequestDetailsType);
  recorder.redirect({ ...moved, statusCode: 302, redirectUrl } as WebRequest.OnBeforeRedirectDetailsType);
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.mainDocument).toMatchObject({ id: '1', failure: null });
});

test('what `object` shows is a document, as in other engines', () => {
  const recorder = new TabRecorder();
  recorder.begin({ ...details, type: 'object' });
  expect(recorder.requests).toMatchObject([{ type: 'document', isMainDocument: false }]);
});

test('an answer of its own origin that the page cancels while it reads it, which has the same words, did not fail', () => {
  const recorder = new TabRecorder();
  const fetched = { ...details, requestId: '2', type: 'xmlhttprequest', initiator: 'http://origin.example' };
  const answer = { ...fetched, statusCode: 200, fromCache: false };
  recorder.begin(fetched as WebRequest.OnBeforeRequestDetailsType);
  recorder.respond(answer as WebRequest.OnResponseStartedDetailsType);
  recorder.fail({ ...answer, error: 'net::ERR_FAILED' } as WebRequest.OnErrorOccurredDetailsType);
  expect(recorder.requests).toMatchObject([{ status: 200, failure: 'net::ERR_ABORTED' }]);
});

test('Firefox has sizes of some answers only: none is taken, as their sum would be too small', () => {
  const recorder = new TabRecorder();
  const image = { ...details, requestId: '2', type: 'image' };
  recorder.begin(image as WebRequest.OnBeforeRequestDetailsType);
  const completed = { ...image, statusCode: 204, fromCache: false, responseSize: 111 };
  recorder.complete(completed as unknown as WebRequest.OnCompletedDetailsType);
  expect(recorder.requests).toMatchObject([{ receivedBytes: null }]);
});

test('an object that a service worker answers has no times in Firefox, unless the worker leaves it to the network', () => {
  const recorder = new TabRecorder();
  const image = { ...details, requestId: '2', url: 'http://origin.example/image', type: 'image' };
  const answered = { ...image, statusCode: 0, fromCache: false, redirectUrl: image.url, statusLine: '' };
  recorder.begin(image as WebRequest.OnBeforeRequestDetailsType);
  recorder.redirect(answered as WebRequest.OnBeforeRedirectDetailsType);
  expect(recorder.requests).toMatchObject([{ isIncomplete: true }]);
  recorder.begin(image as WebRequest.OnBeforeRequestDetailsType);
  expect(recorder.requests.map(({ isIncomplete }) => isIncomplete)).toEqual([undefined, undefined]);
});

test('an answer of 304 gives no page, but where the page of the cache has come', () => {
  const recorder = new TabRecorder();
  const unchanged = { ...details, statusCode: 304, fromCache: false };
  recorder.begin(details as WebRequest.OnBeforeRequestDetailsType);
  recorder.respond(unchanged as WebRequest.OnResponseStartedDetailsType);
  recorder.complete(unchanged as unknown as WebRequest.OnCompletedDetailsType);
  expect([recorder.hasNoPage, recorder.isLoadAwaited()]).toEqual([true, false]);
  recorder.noteDocument({ ...details, frameId: 0 } as unknown as WebNavigation.OnCommittedDetailsType);
  expect([recorder.hasNoPage, recorder.isLoadAwaited()]).toEqual([false, true]);
});

test('an icon that does not come holds no page back, once it is known to be one', () => {
  const recorder = new TabRecorder();
  const icon = { ...details, requestId: '2', url: 'http://origin.example/favicon.ico', type: 'image' };
  recorder.begin({ ...details, url: 'http://origin.example/' } as WebRequest.OnBeforeRequestDetailsType);
  recorder.complete({ ...details } as WebRequest.OnCompletedDetailsType);
  recorder.begin(icon as WebRequest.OnBeforeRequestDetailsType);
  recorder.noteFoundLoaded();
  expect(recorder.awaitsImagesOnly).toBe(true);
  recorder.noteIcons(['http://origin.example/other.ico']);
  expect(recorder.isQuiet()).toBe(false);
  recorder.noteIcons([icon.url]);
  expect(recorder.isQuiet()).toBe(true);
});
