import { expect, test } from 'vitest';
import { linkCapacityKbps } from '#core/evaluation/network/network.ts';

test('a link has a capacity each way, where it is limited and does not change', () => {
  expect(linkCapacityKbps({ link: { preset: 'geo-8m' } }, 'received')).toBe(8000);
  expect(linkCapacityKbps({ link: { preset: 'geo-8m' } }, 'sent')).toBe(512);
  expect(linkCapacityKbps({ link: { preset: 'none' } }, 'received')).toBeNull();
  expect(linkCapacityKbps(undefined, 'received')).toBeNull();
  const rateTrace = {
    steps: [
      [0, 100],
      [1000, 200],
    ],
  };
  expect(linkCapacityKbps({ link: { preset: 'geo-1m', forward: { rateTrace } } } as never, 'received')).toBeNull();
});

test('a path carries what its slowest segment does', () => {
  const way = { rateKbps: 300, delayMs: 1 };
  const network = { link: { preset: 'geo-8m' }, path: { terrestrial: { forward: way, return: way } } } as const;
  expect(linkCapacityKbps(network, 'received')).toBe(300);
  expect(linkCapacityKbps({ ...network, path: {} }, 'received')).toBe(8000);
});
