import type { IncomingMessage } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { LineGate } from '#controller/agents/line-gate.ts';
import { ClientAddresses } from '#controller/people/client-address.ts';

let gate: LineGate;
beforeEach(() => {
  gate = new LineGate(new ClientAddresses());
});

const from = (remoteAddress: string, { url = '/agent', origin }: { url?: string; origin?: string } = {}) =>
  ({ url, socket: { remoteAddress }, headers: { origin } }) as unknown as IncomingMessage;
const statusOf = (request: IncomingMessage) => gate.explainRefusal(request)?.status.slice(0, 3) ?? 'may';
const enter = (count: number, address: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => gate.enter(from(address(index))));

test.each([
  ['/agent', undefined, 'may'],
  ['/agent?x=1', undefined, 'may'],
  ['/agents', undefined, '404'],
  ['/', undefined, '404'],
  ['//[', undefined, '404'],
  ['/agent', 'https://page.test', '403'],
  ['/agent', 'null', '403'],
  ['/agent', 'chrome-extension://abc', 'may'],
  ['/agent', 'moz-extension://abc', 'may'],
  ['/agent', 'https://page.test/chrome-extension://', '403'],
])('a line to %s, of the page %s: %s', (url, origin, status) => {
  expect(statusOf(from('192.0.2.1', { url, ...(origin !== undefined && { origin }) }))).toBe(status);
});

test('of one address 64 lines wait to be admitted, and those of others are let in beside them', () => {
  const leave = enter(63, () => '192.0.2.1');
  expect(statusOf(from('192.0.2.1'))).toBe('may');
  leave.push(gate.enter(from('192.0.2.1')));
  expect([statusOf(from('192.0.2.1')), statusOf(from('192.0.2.2'))]).toEqual(['503', 'may']);
  // To leave twice makes room for one.
  leave[0]!();
  leave[0]!();
  expect(statusOf(from('192.0.2.1'))).toBe('may');
  gate.enter(from('192.0.2.1'));
  expect(statusOf(from('192.0.2.1'))).toBe('503');
});

test('of all addresses 256 wait, and who was admitted makes room', () => {
  const leave = enter(256, (index) => `192.0.2.${index}`);
  expect(statusOf(from('198.51.100.1'))).toBe('503');
  leave[7]!();
  expect(statusOf(from('198.51.100.1'))).toBe('may');
  for (const each of leave) each();
  enter(255, (index) => `192.0.2.${index}`);
  expect(statusOf(from('198.51.100.1'))).toBe('may');
});
