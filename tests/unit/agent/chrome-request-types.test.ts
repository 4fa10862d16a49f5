import type { Protocol } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { requestTypeOf } from '#agent/engines/chrome/request-record.ts';

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
