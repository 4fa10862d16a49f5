import type { Protocol } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { describeResponse, requestTypeOf, type RequestRecord } from '#agent/engines/chrome/request-record.ts';

/** As far as its kind shows in it. */
const event = (
  type: Protocol.Network.ResourceType,
  initiator: Protocol.Network.Initiator['type'],
  headers: Record<string, string> = {},
) => ({ type, initiator: { type: initiator }, request: { headers } }) as Protocol.Network.RequestWillBeSentEvent;

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
