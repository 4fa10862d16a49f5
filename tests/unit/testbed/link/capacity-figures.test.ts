import { expect, test } from 'vitest';
import type { DirectionStatistics } from '#testbed/link/link-backend.ts';
import type { TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { describeNetworkFigure, isOfMissed } from '#core/protocol/network-figure.ts';
import { capacityFigures, missedFigures, startRoundTraffic } from '#testbed/count-round-traffic.ts';

const direction = (assignedBytes: number, usedBytes: number): DirectionStatistics => ({
  ...{ arrivedPackets: 9, arrivedBytes: 9, deliveredPackets: 9, deliveredBytes: 9, droppedPackets: 0, lostPackets: 0 },
  missedPackets: 0,
  ...{ queuedPackets: 0, queuedBytes: 0, capacity: { assignedBytes, usedBytes, overMs: 1000 } },
});
const unassigned = { ...direction(0, 0), capacity: null };
const figuresOf = (forward: DirectionStatistics, back: DirectionStatistics) =>
  capacityFigures({ forward, return: back }).map(({ figure, value, unit }) => `${figure} ${value} ${unit}`);

test('of capacity that was assigned on demand, a Round has what was used of it and what was wasted', () => {
  expect(figuresOf(unassigned, direction(50_000, 20_000))).toEqual([
    'return capacity assigned 50 kB',
    'return capacity used 20 kB',
    'return capacity wasted 30 kB',
    'return utilisation 40 %',
  ]);
  expect(figuresOf(unassigned, unassigned)).toEqual([]);
});

test('rounding makes no more of it used than was assigned, and without any there is no utilisation', () => {
  expect(figuresOf(direction(1000, 1001), direction(0, 0)).slice(2, 4)).toEqual([
    'forward capacity wasted 0 kB',
    'forward utilisation 100 %',
  ]);
  expect(figuresOf(unassigned, direction(0, 0)).at(-1)).toBe('return utilisation null %');
});

test('packets that this machine lost in a Round are a figure, and nothing where it lost none', () => {
  const missing = (forward: number, back: number) => ({
    forward: { ...unassigned, missedPackets: forward },
    return: { ...unassigned, missedPackets: back },
  });
  expect(missedFigures(missing(7, 5), missing(4, 5)).map(describeNetworkFigure)).toEqual(['forward missed 3 packets']);
  expect(missedFigures(missing(0, 6), missing(0, 5)).map(isOfMissed)).toEqual([true]);
  expect(missedFigures(missing(7, 5), missing(7, 5))).toEqual([]);
  expect(isOfMissed({ figure: 'voice missed', unit: '%' })).toBe(false);
});

test('what was lost on the way to hosts with names is a figure of its own', async () => {
  let packets = 2;
  const hosts = {
    missed: () => Promise.resolve({ forward: { missedPackets: 1 }, return: { missedPackets: packets } }),
  };
  await using traffic = await startRoundTraffic({ network: {} as TestbedNetwork, links: [], hosts, loads: [] });
  packets = 5;
  const figures = await traffic.end();
  expect(figures.map(describeNetworkFigure)).toEqual(['hosts return missed 3 packets']);
  expect(figures.map(isOfMissed)).toEqual([true]);
});
