import { expect, test } from 'vitest';
import { leaveByTunnel } from '#agent/held-passes.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';

const order = { interface: 'link0', sourceAddress: '198.19.1.1', tunnelInterface: 'tunnel0' } as PassOrder;

test('a user leaves by the tunnel of its host, where that has its address, and by its own interface elsewhere', () => {
  const both = new Map([
    ['link0', ['198.19.0.2', '198.19.1.1']],
    ['tunnel0', ['198.19.1.1']],
  ]);
  expect(leaveByTunnel(order, both).interface).toBe('tunnel0');
  expect(leaveByTunnel(order, new Map([['link0', ['198.19.1.1']]])).interface).toBe('link0');
  expect(leaveByTunnel({ ...order, tunnelInterface: undefined }, both).interface).toBe('link0');
  expect(leaveByTunnel({ ...order, sourceAddress: '198.19.1.2' }, both).interface).toBe('link0');
});
