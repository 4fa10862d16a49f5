import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { LinkModel } from '#testbed/link/model/link-model.ts';
import { CodelQueue } from '#testbed/link/model/queue/codel.ts';
import { FqCodelQueue } from '#testbed/link/model/queue/fq-codel.ts';

const settings = { targetMs: 5, intervalMs: 100 };

/** Packets of 1500 bytes, one each millisecond, into a queue that sends one every `sendMs`; when each was dropped. */
function overload(sendMs: number, { forMs, fromMs = 0 }: { forMs: number; fromMs?: number }, queue = open()) {
  let nextMs = fromMs;
  for (let atMs = fromMs; atMs < fromMs + forMs; atMs++) {
    for (; nextMs <= atMs; nextMs += sendMs) queue.takeAt(nextMs);
    queue.add({ packet: atMs, sizeBytes: 1500, arrivedMs: atMs });
  }
  return queue;
}

function open() {
  const dropsMs: number[] = [];
  let nowMs = 0;
  const queue = new CodelQueue<number>({ ...settings, limitBytes: 1e9, onDrop: () => dropsMs.push(nowMs) });
  return Object.assign(queue, {
    dropsMs,
    takeAt: (atMs: number) => {
      nowMs = atMs;
      return queue.take(atMs);
    },
  });
}

describe('CoDel', () => {
  test('drops first when packets have waited longer than the target for an interval, then at interval ÷ √count (RFC 8289, 3.3)', () => {
    const { dropsMs } = overload(1.25, { forMs: 1500 });
    // Packet n comes at n ms and leaves at 1.25 (n + 1): so it waits 5 ms from 20 ms on.
    expect(dropsMs[0]).toBe(20 + settings.intervalMs);
    let dueMs = dropsMs[0]!;
    for (let count = 1; count < dropsMs.length; count++) {
      dueMs += settings.intervalMs / Math.sqrt(count);
      expect(dropsMs[count]).toBeGreaterThanOrEqual(dueMs - 1e-9);
      expect(dropsMs[count]! - dueMs).toBeLessThanOrEqual(1.25);
    }
    expect(dropsMs.length).toBeGreaterThan(20);
  });

  test('drops nothing while packets wait less than the target, or no more than one full packet waits', () => {
    const short = open();
    for (let atMs = 0; atMs < 1000; atMs++) {
      short.add({ packet: atMs, sizeBytes: 1500, arrivedMs: atMs });
      short.takeAt(atMs + 4.9);
    }
    expect(short.dropsMs).toEqual([]);
    const single = open();
    for (let atMs = 0; atMs < 10_000; atMs += 100) {
      single.add({ packet: atMs, sizeBytes: 1500, arrivedMs: atMs });
      single.takeAt(atMs + 99);
    }
    expect(single.dropsMs).toEqual([]);
  });

  test('ends dropping when a packet waited less than the target, and soon after resumes at the rate at which it ended', () => {
    const queue = overload(1.25, { forMs: 1500 });
    while (queue.takeAt(1900));
    const afterPause = overload(1.25, { forMs: 400, fromMs: 2000 }, queue).dropsMs.filter((ms) => ms >= 2000);
    // The first interval after the first drop is shorter than that of a first drop: the count continues.
    expect(afterPause.length).toBeGreaterThan(2);
    expect(afterPause[1]! - afterPause[0]!).toBeLessThan(settings.intervalMs / 2);
    const fresh = overload(1.25, { forMs: 400, fromMs: 60_000 }, emptied(queue, 59_000)).dropsMs.filter(
      (ms) => ms >= 60_000,
    );
    expect(fresh[1]! - fresh[0]!).toBeGreaterThanOrEqual(settings.intervalMs - 1.25);
  });

  test('drops what finds no room, as any queue', () => {
    const queue = new CodelQueue<number>({ ...settings, limitBytes: 3000, onDrop: () => undefined });
    for (const packet of [1, 2]) queue.add({ packet, sizeBytes: 1500, arrivedMs: 0 });
    expect(queue.hasRoom(1)).toBe(false);
  });
});

function emptied<Queue extends { takeAt: (ms: number) => unknown }>(queue: Queue, atMs: number): Queue {
  while (queue.takeAt(atMs));
  return queue;
}

describe('FQ-CoDel', () => {
  type Sent = { flow: number; number: number };
  const openFlows = (limitBytes = 1e9) => {
    const dropped: Sent[] = [];
    const queue = new FqCodelQueue<Sent>({
      ...settings,
      limitBytes,
      flowOf: ({ flow }) => flow,
      onDrop: ({ packet }) => dropped.push(packet),
    });
    const add = (flow: number, count: number, sizeBytes: number) => {
      for (let number = 0; number < count; number++) queue.add({ packet: { flow, number }, sizeBytes, arrivedMs: 0 });
    };
    return { queue, dropped, add };
  };

  test('sends as many bytes of two flows that have a queue, whatever the size of their packets (RFC 8290, 4.2)', () => {
    const { queue, add } = openFlows();
    add(1, 1000, 1500);
    add(2, 5000, 300);
    const sent = { 1: 0, 2: 0 };
    for (let count = 0; count < 600; count++) {
      const { packet, sizeBytes } = queue.take(1)!;
      sent[packet.flow as 1 | 2] += sizeBytes;
    }
    // Within a packet and a quantum.
    expect(Math.abs(sent[1] - sent[2])).toBeLessThan(2 * 1514);
  });

  test('sends a flow that is new before those that have a queue, and one that always comes again gets its share only', () => {
    const { queue, add } = openFlows();
    add(1, 100, 1500);
    add(2, 100, 1500);
    for (let count = 0; count < 10; count++) queue.take(1);
    add(3, 1, 100);
    expect(queue.take(1)!.packet.flow).toBe(3);
    // A new flow whose queue is empty goes to the end of the old ones (RFC 8290, 4.2).
    add(3, 1, 1500);
    let own = 0;
    for (let count = 0; count < 90; count++) {
      if (queue.take(1)!.packet.flow !== 3) continue;
      own += 1;
      add(3, 1, 1500);
    }
    expect(own).toBeLessThanOrEqual(32);
  });

  test('drops half of the fattest flow, from its head, when all together are beyond the limit (RFC 8290, 4.1)', () => {
    const { queue, dropped, add } = openFlows(30_000);
    add(1, 2, 1000);
    add(2, 29, 1000);
    expect(dropped).toEqual(Array.from({ length: 14 }, (_, number) => ({ flow: 2, number })));
    expect(queue.bytes).toBe(17_000);
    expect(queue.packets).toBe(17);
    add(3, 300, 100);
    expect(dropped.filter(({ flow }) => flow === 1)).toEqual([]);
  });

  test('drops at most 64 packets at once', () => {
    const { queue, dropped, add } = openFlows(100_000);
    add(1, 1001, 100);
    expect(dropped).toHaveLength(64);
    expect(queue.bytes).toBe(100_100 - 6_400);
  });

  test('manages each flow by CoDel: the one with a queue loses packets, the sparse one none', () => {
    const { queue, dropped } = openFlows();
    for (let atMs = 0; atMs < 2000; atMs++) {
      queue.add({ packet: { flow: 1, number: atMs }, sizeBytes: 1500, arrivedMs: atMs });
      if (atMs % 20 === 0) queue.add({ packet: { flow: 2, number: atMs }, sizeBytes: 200, arrivedMs: atMs });
      if (atMs % 5 !== 0) queue.take(atMs);
    }
    expect(dropped.length).toBeGreaterThan(20);
    expect(dropped.filter(({ flow }) => flow === 2)).toEqual([]);
  });
});

test.each(['codel', 'fq-codel'] as const)(
  'over a link with %s, every packet arrives once, in the order of its flow, or is counted as dropped',
  (kind) => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ flow: fc.integer({ min: 0, max: 3 }), sizeBytes: fc.integer({ min: 60, max: 1514 }) }), {
          maxLength: 300,
        }),
        (packets) => {
          const direction: LinkDirection = {
            queueBytes: 20_000,
            queue: { kind, ...settings },
            rate: { kind: 'constant', kbps: 1000 },
            lossRatio: 0,
            lossBurstPackets: null,
            delayMs: 10,
            jitterMs: 0,
          };
          const model = new LinkModel<number>({
            direction,
            random: () => 0.5,
            startMs: 0,
            flowOf: (index) => packets[index]!.flow,
          });
          const arrived: number[] = [];
          packets.forEach(({ sizeBytes }, index) => {
            arrived.push(...model.take(index).map(({ packet }) => packet));
            model.arrive(index, { sizeBytes, atMs: index });
          });
          while (model.nextEventMs() < Infinity)
            arrived.push(...model.take(model.nextEventMs()).map(({ packet }) => packet));
          expect(new Set(arrived).size).toBe(arrived.length);
          expect(arrived.length + model.counts.droppedPackets).toBe(packets.length);
          expect(model.counts.arrivedBytes).toBe(model.counts.deliveredBytes + model.counts.droppedBytes);
          expect(model.queue).toMatchObject({ packets: 0, bytes: 0 });
          for (const own of Map.groupBy(arrived, (index) => packets[index]!.flow).values())
            expect(own).toEqual(own.toSorted((a, b) => a - b));
        },
      ),
    );
  },
);

test('a sparse flow crosses a link with FQ-CoDel in its own time and that of a packet or two, where drop-tail lets it wait for the whole queue', () => {
  const waitOf = (queue: LinkDirection['queue']) => {
    const direction: LinkDirection = {
      queueBytes: 150_000,
      ...(queue && { queue }),
      rate: { kind: 'constant', kbps: 1000 },
      lossRatio: 0,
      lossBurstPackets: null,
      delayMs: 300,
      jitterMs: 0,
    };
    const model = new LinkModel<string>({
      direction,
      random: () => 0.5,
      startMs: 0,
      flowOf: (name) => (name === 'probe' ? 1 : 2),
    });
    for (let count = 0; count < 90; count++) model.arrive('bulk', { sizeBytes: 1514, atMs: 0 });
    model.arrive('probe', { sizeBytes: 60, atMs: 1 });
    for (;;) {
      const probe = model.take(model.nextEventMs()).find(({ packet }) => packet === 'probe');
      if (probe) return probe.dueMs - 1;
    }
  };
  const fullPacketMs = (1514 * 8) / 1000;
  expect(waitOf({ kind: 'fq-codel', ...settings })).toBeLessThan(300 + 480 / 1000 + 2 * fullPacketMs);
  expect(waitOf(undefined)).toBeGreaterThan(300 + 89 * fullPacketMs);
});
