import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { LinkModel } from '#testbed/link/model/link-model.ts';

interface Sent {
  sizeBytes: number;
  atMs: number;
}

const direction = (change: Partial<LinkDirection> = {}): LinkDirection => ({
  queueBytes: 1e9,
  rate: { kind: 'constant', kbps: 256 },
  lossRatio: 0,
  lossBurstPackets: null,
  delayMs: 300,
  jitterMs: 0,
  ...change,
});

/** Lets the packets pass and returns, for each that came out, when. */
function pass(
  packets: Sent[],
  change: Partial<LinkDirection> = {},
): { model: LinkModel<number>; dueMs: Map<number, number> } {
  const model = new LinkModel<number>({ direction: direction(change), random: createRandom(1), startMs: 0 });
  const dueMs = new Map<number, number>();
  const drain = (untilMs: number) => {
    for (let nextMs = model.nextEventMs(); nextMs <= untilMs && nextMs < Infinity; nextMs = model.nextEventMs()) {
      for (const taken of model.take(nextMs)) dueMs.set(taken.packet, taken.dueMs);
    }
  };
  packets.forEach((packet, index) => {
    drain(packet.atMs);
    model.arrive(index, packet);
  });
  drain(Infinity);
  return { model, dueMs };
}

const packetsOf = (maximumGapMs: number) =>
  fc
    .array(
      fc.record({
        sizeBytes: fc.integer({ min: 60, max: 1514 }),
        gapMs: fc.double({ min: 0, max: maximumGapMs, noNaN: true }),
      }),
      { minLength: 1, maxLength: 60 },
    )
    .map((steps) => {
      let atMs = 0;
      return steps.map(({ sizeBytes, gapMs }): Sent => ({ sizeBytes, atMs: (atMs += gapMs) }));
    });

test('a packet alone takes its serialisation and the delay', () => {
  expect(pass([{ sizeBytes: 1000, atMs: 5 }]).dueMs.get(0)).toBeCloseTo(5 + 8000 / 256 + 300, 9);
});

test('every packet leaves when Lindley’s recursion says: max(arrival, end of the one before) + size / rate + delay', () => {
  fc.assert(
    fc.property(packetsOf(80), fc.double({ min: 10, max: 20_000, noNaN: true }), (packets, kbps) => {
      const { dueMs } = pass(packets, { rate: { kind: 'constant', kbps } });
      let endMs = 0;
      packets.forEach(({ sizeBytes, atMs }, index) => {
        endMs = Math.max(atMs, endMs) + (sizeBytes * 8) / kbps;
        expect(dueMs.get(index)).toBeCloseTo(endMs + 300, 6);
      });
    }),
  );
});

test('a link without a rate only delays', () => {
  const { dueMs } = pass(
    [
      { sizeBytes: 1500, atMs: 1 },
      { sizeBytes: 1500, atMs: 1 },
    ],
    { rate: { kind: 'unlimited' }, delayMs: 0 },
  );
  expect([...dueMs]).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test('exactly what fits in the queue waits behind the packet that is being sent; the next is dropped', () => {
  const burst = Array.from({ length: 20 }, (): Sent => ({ sizeBytes: 1000, atMs: 0 }));
  const { model, dueMs } = pass(burst, { queueBytes: 5_999 });
  expect([...dueMs.keys()]).toEqual([0, 1, 2, 3, 4, 5]);
  expect(model.counts).toMatchObject({
    arrivedPackets: 20,
    droppedPackets: 14,
    droppedBytes: 14_000,
    deliveredPackets: 6,
    lostPackets: 0,
  });
  expect(model.queue).toEqual({ packets: 0, bytes: 0, longestBytes: 5000 });
});

test('the queue never holds more than it may, and no packet is counted twice or forgotten', () => {
  fc.assert(
    fc.property(
      packetsOf(10),
      fc.integer({ min: 1514, max: 20_000 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.option(fc.double({ min: 2, max: 100, noNaN: true })),
      (packets, queueBytes, lossRatio, lossBurstPackets) => {
        const { model } = pass(packets, { queueBytes, lossRatio, lossBurstPackets });
        const {
          arrivedPackets,
          deliveredPackets,
          droppedPackets,
          lostPackets,
          arrivedBytes,
          deliveredBytes,
          droppedBytes,
          lostBytes,
        } = model.counts;
        expect(model.queue.longestBytes).toBeLessThanOrEqual(queueBytes);
        expect(deliveredPackets + droppedPackets + lostPackets).toBe(arrivedPackets);
        expect(deliveredBytes + droppedBytes + lostBytes).toBe(arrivedBytes);
      },
    ),
  );
});

test('jitter stays within its bounds and never reorders', () => {
  fc.assert(
    fc.property(packetsOf(30), (packets) => {
      const plain = pass(packets).dueMs;
      const { dueMs } = pass(packets, { jitterMs: 40 });
      expect([...dueMs.keys()]).toEqual(packets.map((_, index) => index));
      for (const [index, ms] of dueMs) {
        expect(ms).toBeGreaterThanOrEqual(plain.get(index)! - 40 - 1e-6);
        expect(ms).toBeLessThanOrEqual(plain.get(index)! + 40 + 1e-6);
      }
    }),
  );
});

test('a lost packet has taken its share of the rate', () => {
  const packets = Array.from({ length: 10 }, (): Sent => ({ sizeBytes: 1000, atMs: 0 }));
  const kept = pass(packets).dueMs;
  const { dueMs, model } = pass(packets, { lossRatio: 0.5 });
  expect(model.counts.lostPackets).toBeGreaterThan(0);
  for (const [index, ms] of dueMs) expect(ms).toBeCloseTo(kept.get(index)!, 9);
});

test('the same seed loses the same packets, another one others', () => {
  const lostWith = (seed: number) => {
    const model = new LinkModel<number>({
      direction: direction({ lossRatio: 0.1, rate: { kind: 'unlimited' }, delayMs: 0 }),
      random: createRandom(seed),
      startMs: 0,
    });
    return Array.from(
      { length: 5000 },
      (_, index) => (model.arrive(index, { sizeBytes: 100, atMs: index }), model.take(index).length),
    );
  };
  expect(lostWith(7)).toEqual(lostWith(7));
  expect(lostWith(7)).not.toEqual(lostWith(8));
  // 500 of 5000 are expected, and this seed's number is what it is once and for all: within two standard deviations of 21.
  expect(Math.abs(lostWith(7).filter((delivered) => delivered === 0).length - 500)).toBeLessThan(42);
});

test('a rate that follows a trace is integrated, outages included', () => {
  // 8000 bits: 100 ms at 20 kbps are 2000, 50 ms without, the other 6000 at 60 kbps take 100 ms.
  const rate = {
    kind: 'trace',
    trace: {
      steps: [
        [0, 20],
        [100, 0],
        [150, 60],
      ] as [number, number][],
    },
  } as const;
  expect(pass([{ sizeBytes: 1000, atMs: 0 }], { rate, delayMs: 0 }).dueMs.get(0)).toBeCloseTo(250, 9);
  const repeated = { kind: 'trace', trace: { ...rate.trace, repeatAfterMs: 200 } } as const;
  // 2000 + 3000 bits per 200 ms: three rounds bring 15000, and 1000 more take 50 ms at 20 kbps.
  expect(pass([{ sizeBytes: 2000, atMs: 0 }], { rate: repeated, delayMs: 0 }).dueMs.get(0)).toBeCloseTo(650, 9);
});

test('a trace begins again with a Round, and what waited for the end of an outage is sent at once', () => {
  const steps: [number, number][] = [
    [0, 80],
    [100, 0],
    [5000, 80],
  ];
  const model = new LinkModel<number>({
    direction: direction({ rate: { kind: 'trace', trace: { steps } }, delayMs: 0 }),
    random: createRandom(1),
    startMs: 0,
  });
  model.arrive(0, { sizeBytes: 100, atMs: 200 });
  expect(model.nextEventMs()).toBe(5000);
  model.beginRound(1000);
  expect(model.nextEventMs()).toBeCloseTo(1010, 9);
  expect(model.take(1011)).toHaveLength(1);
  model.arrive(1, { sizeBytes: 100, atMs: 1200 });
  expect(model.take(5999)).toEqual([]);
  expect(model.take(6011)).toHaveLength(1);
});

test('a trace that names one rate again and again is that rate', () => {
  const steps = Array.from({ length: 50 }, (_, index): [number, number] => [index * 7, 256]);
  fc.assert(
    fc.property(packetsOf(20), (packets) => {
      const plain = pass(packets).dueMs;
      // Sums of 50 steps are exact to a nanosecond, 10⁻⁶ ms.
      for (const [index, ms] of pass(packets, { rate: { kind: 'trace', trace: { steps } } }).dueMs)
        expect(Math.abs(ms - plain.get(index)!)).toBeLessThan(2e-6);
    }),
  );
});

test('a trace whose times and start are any fractions is followed to its end', () => {
  const fraction = fc.double({ min: 0.01, max: 5, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fraction, { minLength: 2, maxLength: 8 }),
      fc.double({ min: 0, max: 1e7, noNaN: true }),
      (gapsMs, startMs) => {
        let atMs = 0;
        const steps = gapsMs.map((gapMs, index): [number, number] => [
          index === 0 ? 0 : (atMs += gapMs),
          10 * (index + 1),
        ]);
        const rate = { kind: 'trace', trace: { steps, repeatAfterMs: atMs + 0.7 } } as const;
        const model = new LinkModel<number>({
          direction: direction({ rate, delayMs: 0 }),
          random: createRandom(1),
          startMs,
        });
        model.arrive(0, { sizeBytes: 1000, atMs: startMs });
        const taken = model.take(startMs + 10_000);
        expect(taken).toHaveLength(1);
        const tookMs = taken[0]!.dueMs - startMs;
        expect(tookMs).toBeLessThanOrEqual(8000 / 10);
        expect(tookMs).toBeGreaterThanOrEqual(8000 / (10 * steps.length));
      },
    ),
  );
});

test('a profile that is applied in the middle sends the rest at its rate, and nothing overtakes', () => {
  const model = new LinkModel<string>({
    direction: direction({ rate: { kind: 'constant', kbps: 8 }, delayMs: 100 }),
    random: createRandom(1),
    startMs: 0,
  });
  model.arrive('first', { sizeBytes: 1000, atMs: 0 });
  model.arrive('second', { sizeBytes: 1000, atMs: 0 });
  model.apply(direction({ rate: { kind: 'constant', kbps: 80 }, delayMs: 10 }), 500);
  const take = (untilMs: number) => model.take(untilMs).map(({ packet }) => packet);
  // 4000 bits were sent by 500 ms; the other 4000 take 50 ms, the second packet 100.
  expect(take(559.999)).toEqual([]);
  expect(take(560.001)).toEqual(['first']);
  expect(model.nextEventMs()).toBeCloseTo(650, 9);
  model.apply(direction({ rate: { kind: 'unlimited' }, delayMs: 0 }), 655);
  model.arrive('third', { sizeBytes: 1000, atMs: 655 });
  expect(take(659.999)).toEqual([]);
  expect(take(660.001)).toEqual(['second', 'third']);
});

test('the longest queue since a profile was applied counts what waited then, and nothing of before', () => {
  const model = new LinkModel<number>({ direction: direction(), random: createRandom(1), startMs: 0 });
  for (let packet = 0; packet < 5; packet++) model.arrive(packet, { sizeBytes: 1000, atMs: 0 });
  expect(model.queue).toEqual({ packets: 4, bytes: 4000, longestBytes: 4000 });
  // At 256 kb/s, a packet takes 31.25 ms: two are sent, the third is on its way.
  model.apply(direction({ delayMs: 10 }), 63);
  expect(model.queue).toEqual({ packets: 2, bytes: 2000, longestBytes: 2000 });
  model.arrive(5, { sizeBytes: 500, atMs: 64 });
  expect(model.queue.longestBytes).toBe(2500);
});
