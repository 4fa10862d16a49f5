import { expect, test } from 'vitest';
import type { RequestEvent, ResponseEvent } from '#agent/engines/firefox/network-events.ts';
import { NetworkRecorder } from '#agent/engines/firefox/firefox-recorder.ts';

const timings = {
  requestTime: 1_800_000_000_000,
  dnsStart: 0,
  dnsEnd: 0,
  connectStart: 0,
  tlsStart: 0,
  connectEnd: 0,
  requestStart: 0,
  responseStart: 0,
  responseEnd: 0,
};

/** As Firefox reports that a loaded page asks for something by a script. */
function hop({
  id,
  url,
  redirectCount = 0,
  accept = '*/*',
}: {
  id: string;
  url: string;
  redirectCount?: number;
  accept?: string;
}): RequestEvent {
  const request = {
    request: id,
    method: 'GET',
    url,
    headers: new Map([['accept', accept]]),
    destination: '',
    initiatorType: 'fetch',
    timings,
  };
  return { context: 'main', navigation: null, redirectCount, timestamp: timings.requestTime, request };
}

function openLoadedPage(): NetworkRecorder {
  const recorder = new NetworkRecorder({ mainContextId: 'main', recordsHeaders: false });
  recorder.noteLoaded();
  return recorder;
}

test('what has no end is not waited for, wherever it is redirected to', () => {
  const recorder = openLoadedPage();
  const events = { id: '1', accept: 'text/event-stream' };
  recorder.noteRequest(hop({ ...events, url: 'http://origin.test/moved' }));
  recorder.noteRequest(hop({ ...events, url: 'http://origin.test/events', redirectCount: 1 }));
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.requests).toHaveLength(2);
});

test('what asks another origin for leave is no request of the script, which cannot set its header', () => {
  const recorder = openLoadedPage();
  const asked = hop({ id: '1', url: 'http://other.test/shared' });
  asked.request.headers.set('access-control-request-method', 'GET');
  recorder.noteRequest(asked);
  expect(recorder.requests).toMatchObject([{ type: 'preflight' }]);
  expect(recorder.isQuiet()).toBe(true);
});

test('what is waited for is so to the last of its redirects; asked for again, it is not', () => {
  const recorder = openLoadedPage();
  const ask = (id: string) => {
    recorder.noteRequest(hop({ id, url: 'http://origin.test/poll' }));
    recorder.noteRequest(hop({ id, url: `http://origin.test/answer-${id}`, redirectCount: 1 }));
  };
  ask('1');
  expect(recorder.isQuiet()).toBe(false);
  recorder.noteFailure({
    ...hop({ id: '1', url: 'http://origin.test/answer-1', redirectCount: 1 }),
    errorText: 'NS_ERROR_NET_RESET',
  });
  expect(recorder.isQuiet()).toBe(true);
  ask('2');
  expect(recorder.isQuiet()).toBe(true);
});

test('the sizes of head and body are those that Firefox reports, of request and answer', () => {
  const recorder = openLoadedPage();
  const asked = hop({ id: '1', url: 'http://origin.test/a' });
  Object.assign(asked.request, { method: 'POST', headersSize: 300, bodySize: 7 });
  const response: ResponseEvent['response'] = {
    status: 200,
    statusText: 'OK',
    mimeType: 'text/plain',
    protocol: 'http/1.1',
    fromCache: false,
    headers: new Map(),
    bytesReceived: 1200,
    bodySize: 1000,
  };
  recorder.noteRequest(asked);
  recorder.noteEnd({ ...asked, response });
  expect(recorder.requests).toMatchObject([
    { receivedBytes: 1200, receivedBodyBytes: 1000, exchange: { sentBytes: { head: 300, body: 7 } } },
  ]);
});

test('TCP’s handshake and that of TLS are phases of their own, and what took no time is none', () => {
  const recorder = openLoadedPage();
  const asked = hop({ id: '1', url: 'https://origin.test/a' });
  const at = (ms: number) => timings.requestTime + ms;
  asked.request.timings = {
    ...timings,
    ...{ dnsStart: at(1), dnsEnd: at(1), connectStart: at(2), tlsStart: at(30), connectEnd: at(70) },
    ...{ requestStart: at(71), responseStart: at(100), responseEnd: at(110) },
  };
  const response: ResponseEvent['response'] = {
    ...{ status: 200, statusText: 'OK', mimeType: 'text/plain', protocol: 'h2', fromCache: false },
    ...{ headers: new Map(), bytesReceived: 12, bodySize: 10 },
  };
  recorder.noteRequest(asked);
  recorder.noteEnd({ ...asked, response });
  expect(recorder.requests[0]!.exchange!.phases).toEqual({
    dns: null,
    connect: [at(2), at(70)],
    tls: [at(30), at(70)],
    send: null,
  });
});

function askForDocument(recorder: NetworkRecorder, url: string): RequestEvent {
  const asked = hop({ id: url, url });
  Object.assign(asked.request, { destination: 'document', initiatorType: null });
  recorder.noteRequest(asked);
  return asked;
}

test('a page that leads to one that fails ends with the browser’s own page about that, which has no load event', () => {
  const recorder = openLoadedPage();
  const asked = askForDocument(recorder, 'http://closed.test/');
  recorder.noteFailure({ ...asked, errorText: 'NS_ERROR_CONNECTION_REFUSED' });
  expect(recorder.isQuiet()).toBe(false);
  const shown = { context: 'main', timestamp: timings.requestTime + 20 };
  recorder.noteDocument({ ...shown, url: 'about:neterror?e=connectionFailure' });
  expect(recorder.isQuiet()).toBe(true);
  expect(recorder.mainDocument?.failure).toBe('NS_ERROR_CONNECTION_REFUSED');
  // Such a page has one, as any of the web.
  recorder.noteDocument({ ...shown, url: 'about:blank' });
  expect(recorder.isQuiet()).toBe(false);
});

test.each([
  ['mailto:someone@origin.test', true],
  ['about:blank', true],
  ['/next', false],
])('a redirect to %s leads to no page of the web, so that the page stays: %s', (location, leadsOutside) => {
  const recorder = openLoadedPage();
  const asked = askForDocument(recorder, 'http://origin.test/moved');
  const response: ResponseEvent['response'] = {
    ...{
      status: 302,
      statusText: 'Found',
      mimeType: '',
      protocol: 'h2',
      fromCache: false,
      bytesReceived: 90,
      bodySize: 0,
    },
    headers: new Map([['location', location]]),
  };
  recorder.noteEnd({ ...asked, response });
  expect(recorder.isQuiet()).toBe(leadsOutside);
  expect(recorder.requests[0]!.failure).toBe(leadsOutside ? 'The address leads to no page of the web' : null);
});

test('an answer that Firefox offers to save is none of a page', () => {
  const recorder = openLoadedPage();
  const asked = hop({ id: '1', url: 'http://origin.test/file' });
  Object.assign(asked.request, { destination: 'document', initiatorType: null });
  recorder.noteRequest(asked);
  expect(recorder.isNavigating).toBe(true);
  recorder.noteFile({ url: 'http://origin.test/file', timestamp: timings.requestTime + 20 });
  expect(recorder.isNavigating).toBe(false);
  expect(recorder.mainDocument).toMatchObject({ failure: 'The address gives a file to download' });
});

const asPicture = { destination: 'image', initiatorType: null };

test.each([
  ['image/avif,image/webp,*/*;q=0.5', 'icon'],
  // As for `<use href>`, `filter` and `clip-path`.
  ['*/*', 'image'],
])('of pictures that no element names, one is an icon by the types that Firefox accepts: %s', (accept, type) => {
  const recorder = openLoadedPage();
  const asked = hop({ id: '1', url: 'http://origin.test/picture', accept });
  Object.assign(asked.request, asPicture);
  recorder.noteRequest(asked);
  expect(recorder.requests).toMatchObject([{ type }]);
});

test('a frame that a policy of the page forbids was never sent, and one that is removed was', () => {
  const recorder = openLoadedPage();
  const failureOf = (id: string, requestStart: number) => {
    const asked = hop({ id, url: `http://origin.test/${id}` });
    Object.assign(asked.request, { destination: 'iframe', initiatorType: null, timings: { ...timings, requestStart } });
    recorder.noteRequest({ ...asked, context: 'frame' });
    recorder.noteFailure({ ...asked, context: 'frame', errorText: 'NS_BINDING_ABORTED' });
    return recorder.requests.find((request) => request.id === id)!.failure;
  };
  expect(failureOf('forbidden', 0)).toBe('NS_BINDING_ABORTED (not sent)');
  expect(failureOf('removed', timings.requestTime + 5)).toBe('NS_BINDING_ABORTED');
});

test('what an earlier document showed is no icon when Firefox asks whether it is still right; what this one showed is', () => {
  const recorder = openLoadedPage();
  const ask = (id: string, path: string, parts: object) => {
    const asked = hop({ id, url: `http://origin.test${path}`, accept: 'image/avif,image/webp,*/*;q=0.5' });
    Object.assign(asked.request, parts);
    recorder.noteRequest(asked);
    return recorder.requests.find((request) => request.id === id)!.type;
  };
  const asDocument = { destination: 'document', initiatorType: null };
  ask('1', '/', asDocument);
  ask('2', '/logo', { destination: 'image', initiatorType: 'img' });
  expect(ask('3', '/logo', asPicture)).toBe('icon');
  ask('4', '/', asDocument);
  expect(ask('5', '/logo', asPicture)).toBe('image');
  expect(ask('6', '/logo', asPicture)).toBe('icon');
  expect(ask('7', '/favicon.ico', asPicture)).toBe('icon');
});

test('what a page asks another origin for names the root of its own, and is no request of a root that led to the page', () => {
  const recorder = new NetworkRecorder({ mainContextId: 'main', recordsHeaders: false });
  const come = (url: string, atMs: number) =>
    recorder.apply({
      kind: 'document-came',
      frameId: 'main',
      documentId: null,
      url,
      atEpochMs: timings.requestTime + atMs,
    });
  come('https://site.test/', -90);
  come('https://site.test/en/', -10);
  const ask = (id: string, url: string) => {
    const asked = hop({ id, url });
    asked.request.headers.set('referer', 'https://site.test/');
    recorder.noteRequest(asked);
  };
  ask('report', 'https://site.test/report');
  ask('image', 'https://elsewhere.test/image');
  expect(recorder.requests.map(({ endedBy }) => endedBy)).toEqual(['document-replaced', undefined]);
});
