import type { Protocol } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { requestTypeOf } from '#agent/engines/chrome/request-record.ts';

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

test('the report of what a policy of the page forbids is a ping', () => {
  for (const initiator of ['script', 'other', 'parser'] as const)
    expect(requestTypeOf(event('Other', initiator, {}, 'POST'))).toBe('ping');
});
