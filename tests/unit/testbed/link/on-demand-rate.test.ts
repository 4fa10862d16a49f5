import { expect, test } from 'vitest';
import { LinkModel } from '#testbed/link/model/link-model.ts';
import { OnDemandRate } from '#testbed/link/model/on-demand-rate.ts';

const frameMs = 10;
const open = (
  demand: { constantKbps?: number; rateBasedMaxKbps?: number; volumeBasedMaxKbps?: number },
  grantDelayMs = 100,
) =>
  new OnDemandRate({
    demand: { constantKbps: 0, rateBasedMaxKbps: 0, volumeBasedMaxKbps: 0, frameMs, ...demand },
    grantDelayMs,
    startMs: 0,
  });

const kbpsAt = (rate: OnDemandRate, fromMs: number, frames: number) =>
  Array.from({ length: frames }, (_, index) => rate.segmentAt(fromMs + index * frameMs).kbps);

test('the constant assignment is there without being asked for', () => {
  expect(kbpsAt(open({ constantKbps: 64 }), 0, 3)).toEqual([64, 64, 64]);
});

test('a volume is granted once, one grant delay after the frame in which it came, at no more than its maximum', () => {
  const rate = open({ volumeBasedMaxKbps: 800 });
  rate.noteArrival(2500, 3);
  // Asked for at 10 ms, granted from 110 ms on: 1000 bytes in each frame of 10 ms at 800 kbps, and the rest of 500.
  expect(kbpsAt(rate, 0, 15)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 800, 800, 400, 0]);
});

test('what waits is asked for once, however long the grant takes', () => {
  const rate = open({ volumeBasedMaxKbps: 8000 });
  rate.noteArrival(1000, 0);
  const before = kbpsAt(rate, 0, 12);
  rate.noteSent(8000);
  const granted = [...before, ...kbpsAt(rate, 120, 40)].filter((kbps) => kbps > 0);
  expect(granted).toEqual([800]);
});

test('the rate of arrival is granted for as many frames as it lasted', () => {
  const rate = open({ constantKbps: 16, rateBasedMaxKbps: 400 }, 20);
  rate.noteArrival(250, 1); // 200 kbps in the first frame
  rate.noteArrival(1000, 11); // 800 kbps in the second: more than is granted
  rate.noteSent(10_000);
  expect(kbpsAt(rate, 0, 6)).toEqual([16, 16, 16, 216, 416, 16]);
});

test('an idle hour is passed over at once, and frames stay where they were', () => {
  const rate = open({ constantKbps: 8 });
  expect(rate.segmentAt(3_600_004)).toEqual({ kbps: 8, untilMs: 3_600_010 });
});

test('packets that are larger than a slot cross as their slots come, and nothing is asked for twice', () => {
  const demand = { constantKbps: 0, rateBasedMaxKbps: 0, volumeBasedMaxKbps: 400, frameMs };
  const direction = {
    queueBytes: 1e6,
    rate: { kind: 'on-demand', demand, grantDelayMs: 100 },
    lossRatio: 0,
    lossBurstPackets: null,
    delayMs: 0,
    jitterMs: 0,
  } as const;
  const model = new LinkModel<number>({ direction, random: () => 0, startMs: 0 });
  for (let index = 0; index < 6; index++) model.arrive(index, { sizeBytes: 1500, atMs: 3 });
  // Asked for at 10 ms, granted from 110 on: 500 bytes per frame of 10 ms, so a packet every 30 ms.
  const dueMs = [];
  for (let nextMs = model.nextEventMs(); nextMs < Infinity; nextMs = model.nextEventMs())
    dueMs.push(...model.take(nextMs).map((taken) => Math.round(taken.dueMs * 1e6) / 1e6));
  expect(dueMs).toEqual([140, 170, 200, 230, 260, 290]);
  // Nothing was left over: the next packet waits for a grant of its own.
  model.arrive(6, { sizeBytes: 500, atMs: 305 });
  while (model.nextEventMs() < Infinity)
    dueMs.push(...model.take(model.nextEventMs()).map((taken) => Math.round(taken.dueMs * 1e6) / 1e6));
  expect(dueMs.at(-1)).toBe(420);
});
