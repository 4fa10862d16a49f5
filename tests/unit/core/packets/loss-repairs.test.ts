import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArrivedBytes, LossRepairs } from '#core/packets/tcp/loss-repairs.ts';
import { client, handshake, measureSteps, startEpochNs, type Step } from '#tests/support/packets/measure.ts';

const startEpochMs = Number(startEpochNs) / 1e6;

/** In ms from the start of the trace. */
function repairsOf(steps: Step[]): number[][] {
  const { repairs } = measureSteps(steps, { localAddresses: [client.address] });
  return repairs!.map((stretch) => stretch.map((epochMs) => Math.round(epochMs - startEpochMs)));
}

/** Segments of the server of 1000 bytes. */
const data = (atMs: number, index: number, more: Partial<Step> = {}): Step => ({
  atMs,
  way: '<',
  flags: 'A',
  sequence: 5001 + 1000 * index,
  acknowledgement: 1001,
  payloadBytes: 1000,
  ...more,
});
const ack = (atMs: number, index: number): Step => ({
  atMs,
  way: '>',
  flags: 'A',
  sequence: 1001,
  acknowledgement: 5001 + 1000 * index,
});
const request = (atMs: number): Step => ({
  atMs,
  way: '>',
  flags: 'PA',
  sequence: 1001,
  acknowledgement: 5001,
  payloadBytes: 200,
});

// The handshake takes 10.5 ms.
test.for<[string, Step[], number[][]]>([
  ['nothing is lost', [data(20, 0), ack(21, 1), data(22, 1)], []],
  ['a segment is lost', [data(20, 0), data(22, 2), data(23, 3), data(60, 1)], [[22, 60]]],
  [
    'two are, and the holes are filled one after the other',
    [data(20, 1), data(21, 3), data(50, 0), data(70, 2)],
    [[20, 70]],
  ],
  [
    'two are, behind one that came',
    [data(19, 0), data(20, 2), data(21, 4), data(50, 1), data(70, 3), data(80, 5)],
    [[20, 70]],
  ],
  ['it comes late by less than half a round trip', [data(20, 0), data(21, 2), data(25, 1)], []],
  ['the trace alone lacks it', [data(20, 0), data(21, 2), ack(22, 3), data(60, 1)], []],
  ['it never comes', [data(20, 0), data(21, 2), data(22, 3)], []],
  ['a request is', [request(20), request(220), data(240, 0, { acknowledgement: 1201 })], [[20, 220]]],
  [
    'a request is twice, and an answer later',
    [request(20), request(220), request(620), data(640, 0), data(650, 2), data(700, 1)],
    [
      [20, 620],
      [650, 700],
    ],
  ],
  [
    'a request is sent again that was acknowledged',
    [request(20), { ...ack(30, 0), way: '<', sequence: 5001, acknowledgement: 1201 }, request(220)],
    [],
  ],
])('when %s', ([, steps, expected]) => {
  expect(repairsOf([...handshake(), ...steps])).toEqual(expected);
});

test('a SYN that is sent again', () => {
  expect(repairsOf([0, 1000, 3000].map((atMs) => ({ atMs, way: '>', flags: 'S', sequence: 1 })))).toEqual([[0, 3000]]);
});

test('without directions it is not known', () => {
  expect(measureSteps(handshake()).repairs).toBeNull();
});

test('stretches of several connections are put together, and many are joined with their neighbours', () => {
  const repairs = new LossRepairs();
  for (const [start, end] of [
    [0, 10],
    [20, 30],
    [5, 25],
    [40, 50],
  ] as const)
    repairs.add(start, end);
  expect(repairs.finish()).toEqual([
    [0, 30],
    [40, 50],
  ]);
  for (let start = 1000; start < 1_000_000; start += 100) repairs.add(start, start + 10);
  const stretches = repairs.finish();
  expect(stretches.length).toBeLessThanOrEqual(1000);
  expect(stretches.every(([start, end], index) => start < end && (stretches[index - 1]?.[1] ?? -1) < start)).toBe(true);
  expect([stretches[0]![0], stretches.at(-1)![1]]).toEqual([0, 999_910]);
});

test('a stretch that ended before others, as in a trace out of order, stays apart from them', () => {
  const repairs = new LossRepairs();
  for (const [start, end] of [
    [100, 110],
    [200, 210],
    [0, 10],
    [150, 160],
    [105, 155],
    [20, 20],
  ] as const)
    repairs.add(start, end);
  expect(repairs.finish()).toEqual([
    [0, 10],
    [20, 20],
    [100, 160],
    [200, 210],
  ]);
});

/** One byte a segment place: the truth that a set of places gives. */
function findHoles(arrivals: readonly { start: number; end: number }[]): (number | null)[] {
  const places = new Set<number>();
  let [front, brokenAt] = [0, null as number | null];
  return arrivals.map(({ start, end }, at) => {
    for (let place = start; place < end; place++) places.add(place);
    while (places.has(front)) front++;
    const hasHole = [...places].some((place) => place > front);
    const since = brokenAt;
    if (!hasHole) brokenAt = null;
    else brokenAt ??= at;
    return hasHole ? null : since;
  });
}

test('holes are found as a set of all places finds them, across the wrap at 2^32', () => {
  const arrival = fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 8 }));
  fc.assert(
    fc.property(
      fc.array(arrival, { maxLength: 60 }),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      (list, first) => {
        const arrivals = [{ start: 0, end: 1 }, ...list.map(([start, length]) => ({ start, end: start + length }))];
        const arrived = new ArrivedBytes();
        const found = arrivals.map(({ start, end }, at) => arrived.add((first + start) | 0, (first + end) | 0, at));
        expect(found).toEqual(findHoles(arrivals));
      },
    ),
  );
});
