import type { Protocol } from 'puppeteer-core';
import { expect, test } from 'vitest';
import {
  beginRecord,
  describeResponse,
  requestTypeOf,
  type RequestRecord,
} from '#agent/engines/chrome/request-record.ts';

/** As far as its kind shows in it. */
const event = (
  type: Protocol.Network.ResourceType,
  initiator: Protocol.Network.Initiator['type'],
  headers: Record<string, string> = {},
  method = 'GET',
) =>
  ({ type, initiator: { type: initiator }, request: { headers, method } }) as Protocol.Network.RequestWillBeSentEvent;

test.each([
  ['Fetch', 'script', {}, 'fetch'],
  ['Stylesheet', 'parser', {}, 'style-sheet'],
  // As Chromium 156 reports them.
  ['Other', 'preflight', {}, 'preflight'],
  ['Other', 'other', {}, 'icon'],
  ['Other', 'script', {}, 'other'],
  ['Other', 'parser', { 'Sec-Purpose': 'prefetch' }, 'prefetch'],
] as const)('what Chrome calls %s, by %s, with the headers %o, is one of %s', (type, initiator, headers, kind) => {
  expect(requestTypeOf(event(type, initiator, headers))).toBe(kind);
});

test('a connection is reused from its second answer on, and what came from a cache used none', () => {
  const usedConnections = new Set<string>();
  const record = { clockOffsetMs: 0, request: { fromCache: false } } as RequestRecord;
  const isReused = (connectionId: number, fromDiskCache = false) => {
    const response = { connectionId, fromDiskCache, status: 200, headers: {} } as Protocol.Network.Response;
    return describeResponse(record, response, usedConnections).isConnectionReused;
  };
  expect([isReused(7), isReused(8), isReused(7), isReused(7, true)]).toEqual([false, false, true, undefined]);
});

test('the report of what a policy of the page forbids is a ping', () => {
  for (const initiator of ['script', 'other', 'parser'] as const)
    expect(requestTypeOf(event('Other', initiator, {}, 'POST'))).toBe('ping');
});

test.each([
  ['Blocking', true],
  ['InBodyParserBlocking', true],
  ['NonBlocking', false],
  ['NonBlockingDynamic', false],
  [undefined, null],
] as const)('what Chrome calls %s holds up the page, or the rest of it: %s', (renderBlockingBehavior, holdsUp) => {
  const begun = {
    ...event('Script', 'parser'),
    ...{ requestId: '1', frameId: 'main', wallTime: 1, timestamp: 1, renderBlockingBehavior },
    request: { url: 'http://origin.test/app.js', method: 'GET', headers: {} },
  } as Protocol.Network.RequestWillBeSentEvent;
  expect(beginRecord(begun, { hop: 0, mainFrameId: 'main' }).request.isRenderBlocking).toBe(holdsUp);
});
