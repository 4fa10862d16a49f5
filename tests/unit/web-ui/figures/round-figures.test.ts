import { describe, expect, test } from 'vitest';
import type { ByteSeries } from '#core/packets/measures/byte-series.ts';
import { chartInks } from '#web-ui/src/components/chart-inks.ts';
import {
  connectionFigure,
  hasWays,
  roundThroughputFigure,
} from '#web-ui/src/pages/comparison/figures/round-figures.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';

/** Bytes by the number of a bin. */
const seriesOf = (bytes: Record<number, number>, binMs = 100): ByteSeries => ({
  ...{ binMs, bins: Object.keys(bytes).map(Number), bytes: Object.values(bytes) },
});
const nothing = seriesOf({});

function userOf(
  userAgent: string,
  {
    received = null,
    sent = null,
    all = nothing,
    clockOffsetMs = 0,
  }: {
    received?: ByteSeries | null;
    sent?: ByteSeries | null;
    all?: ByteSeries;
    clockOffsetMs?: number;
  },
) {
  const captured = makeCaptured({ clockOffsetMs });
  return {
    userAgent,
    capture: { clockOffsetMs, statistics: { ...captured.statistics, throughput: { all, received, sent } } },
  };
}

const colours = new Map([
  ['alice', '#000000'],
  ['bob', '#111111'],
]);
const draw = (
  users: ReturnType<typeof userOf>[],
  capacityKbps: number | null = null,
  way: 'received' | 'sent' = 'received',
) => roundThroughputFigure(users, { way, title: 'direct, Block 1', colours, capacityKbps });

describe('the throughput of a Round', () => {
  const alice = userOf('alice', { received: seriesOf({ 10: 1000, 12: 2000 }), sent: seriesOf({ 9: 500 }) });
  const bob = userOf('bob', { received: seriesOf({ 10: 100 }), sent: nothing, clockOffsetMs: 200 });

  test('is of each User Agent in kb/s, on one clock, from the first packet of either way to the last', () => {
    const { table, time, title } = draw([alice, bob]);
    expect(title).toBe('Received in bins of 100 ms: direct, Block 1');
    expect(table.rows).toEqual([
      [0, 0, 0],
      [0.1, 80, 0],
      [0.2, 0, 0],
      [expect.closeTo(0.3, 9), 160, 8],
    ]);
    expect(time).toEqual({ startEpochMs: 900, endEpochMs: 1300 });
    expect(draw([alice, bob], null, 'sent')).toMatchObject({
      title: 'Sent in bins of 100 ms: direct, Block 1',
      time,
      table: {
        rows: [
          [0, 40, 0],
          [0.1, 0, 0],
          [0.2, 0, 0],
          [expect.anything(), 0, 0],
        ],
      },
    });
  });

  test('has bins as long as the longest of a User Agent', () => {
    const coarse = userOf('bob', { received: seriesOf({ 5: 1000 }, 200), sent: nothing });
    expect(draw([alice, coarse]).table.rows).toEqual([
      [0, 0, 0],
      [0.2, 40, 40],
      [0.4, 80, 0],
    ]);
  });

  test('is all that was captured where ways are not known, and is empty without packets', () => {
    const unknown = userOf('alice', { all: seriesOf({ 10: 1000 }) });
    expect(draw([unknown]).table.rows).toEqual([[0, 80]]);
    expect(hasWays([alice, bob])).toBe(true);
    expect(hasWays([alice, unknown])).toBe(false);
    expect(draw([userOf('alice', { received: nothing, sent: nothing })]).table.rows).toEqual([]);
  });

  test('is stacked, below a line for the capacity of the link, which is stacked on nothing', () => {
    const described = draw([alice, bob], 512).describe(chartInks.light);
    expect(described.data.datasets.map(({ label }) => label)).toEqual(['alice', 'bob', 'capacity of the link']);
    expect(described.data.datasets[2]!.data).toMatchObject([
      { x: 0, y: 512 },
      { x: 0.4, y: 512 },
    ]);
    expect(draw([alice]).describe(chartInks.light).data.datasets).toHaveLength(1);
  });
});

describe('the connections of a Round', () => {
  const [connection] = makeCaptured().statistics.connections;
  const connect = (count: number, throughput: ByteSeries) => {
    const { statistics } = makeCaptured();
    const connections = Array.from({ length: count }, () => ({ ...connection!, throughput }));
    const time = { startEpochMs: 1000, endEpochMs: 3000 };
    return connectionFigure(
      { ...statistics, connections },
      { title: 'alice', colour: '#000000', time, clockOffsetMs: 100 },
    );
  };

  test('have a bar for each stretch in which every bin had bytes, in seconds of the Round', () => {
    const { table, rows } = connect(1, seriesOf({ 10: 1, 11: 2, 13: 4, 14: 8, 15: 16 }));
    expect(rows).toBe(1);
    expect(table.rows.map((row) => row.slice(1))).toEqual([
      [0.1, 0.3, 3],
      [0.4, 0.7, 28],
    ]);
    expect(table.rows[0]![0]).toMatch(/^1: \S+:\d+ from \d+$/);
  });

  test('are the first 60, which the title says', () => {
    const all = connect(60, seriesOf({ 10: 1 }));
    expect([all.rows, all.title]).toEqual([60, 'Connections of alice: activity']);
    const more = connect(61, seriesOf({ 10: 1 }));
    expect([more.rows, more.title]).toEqual([60, 'Connections of alice: the first 60 of 61']);
  });
});
