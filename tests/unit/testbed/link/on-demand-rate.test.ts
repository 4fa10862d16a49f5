import { describe, expect, test } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
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

function modelOf(demand: object, grantDelayMs: number): LinkModel<number> {
  const direction = {
    queueBytes: 1e6,
    rate: {
      kind: 'on-demand',
      demand: { constantKbps: 0, rateBasedMaxKbps: 0, volumeBasedMaxKbps: 0, frameMs, ...demand },
      grantDelayMs,
    },
    lossRatio: 0,
    lossBurstPackets: null,
    delayMs: 0,
    jitterMs: 0,
  } as const;
  return new LinkModel<number>({ direction, random: () => 0, startMs: 0 });
}

/** When what is on the link leaves it. */
function drain(model: LinkModel<number>): number[] {
  const dueMs = [];
  for (let nextMs = model.nextEventMs(); nextMs < Infinity; nextMs = model.nextEventMs())
    dueMs.push(...model.take(nextMs).map((taken) => taken.dueMs));
  return dueMs;
}

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

test('the rate of arrival is granted as it was, and the last one remains for the time-out of two frames', () => {
  const rate = open({ constantKbps: 16, rateBasedMaxKbps: 400 }, 20);
  rate.noteArrival(250, 1); // 200 kbps in the first frame
  rate.noteArrival(1000, 11); // 800 kbps in the second: more than is granted
  rate.noteSent(10_000);
  expect(kbpsAt(rate, 0, 7)).toEqual([16, 16, 16, 216, 416, 416, 16]);
});

test('what waits from earlier frames is requested as a rate, spread over the grant delay', () => {
  const rate = open({ rateBasedMaxKbps: 1000 }, 50);
  rate.noteArrival(500, 1);
  // 4000 bits in the first frame: 400 kbps. Then they wait: 4000 bits in 50 ms are 80 kbps more in each frame, until they are sent.
  expect(kbpsAt(rate, 0, 8)).toEqual([0, 0, 0, 0, 0, 0, 400, 80]);
});

test('a volume request asks only for what rate requests do not cover', () => {
  const both = open({ rateBasedMaxKbps: 200, volumeBasedMaxKbps: 10_000 }, 20);
  both.noteArrival(1000, 1);
  // 8000 bits in a frame: 2000 are covered by 200 kbps, 6000 are asked for as a volume, all in the frame of the grant.
  expect(kbpsAt(both, 0, 4)).toEqual([0, 0, 0, 200 + 600]);
  const covered = open({ rateBasedMaxKbps: 800, volumeBasedMaxKbps: 10_000 }, 20);
  covered.noteArrival(1000, 1);
  covered.noteSent(0);
  expect(kbpsAt(covered, 0, 4)).toEqual([0, 0, 0, 800]);
});

test.each([
  ['rate-based', { rateBasedMaxKbps: 512 }],
  ['volume-based', { volumeBasedMaxKbps: 512 }],
  ['mixed', { rateBasedMaxKbps: 256, volumeBasedMaxKbps: 256 }],
])('a burst drains to its last byte, and the link falls idle: %s', (_, demand) => {
  const model = modelOf({ frameMs: 26.5, ...demand }, 600);
  for (let index = 0; index < 40; index++) model.arrive(index, { sizeBytes: 1514, atMs: 5 + index });
  const dueMs = drain(model);
  expect(dueMs).toHaveLength(40);
  // The grant, and the bytes at the peak rate, twice at the most.
  expect(dueMs.at(-1)).toBeGreaterThan(600 + (40 * 1514 * 8) / 512);
  expect(dueMs.at(-1)).toBeLessThan(4 * 600 + (2 * 40 * 1514 * 8) / 512);
  expect(model.nextEventMs()).toBe(Infinity);
});

test('a packet over an idle link waits for its frame to end, for the grant, and for its slots', () => {
  const frames = 26.5;
  const leaves = (demand: object, atMs: number) => {
    const model = modelOf({ frameMs: frames, ...demand }, 954);
    model.arrive(0, { sizeBytes: 60, atMs });
    return drain(model)[0]!;
  };
  // Grants begin with frames, and 954 ms are 36 of them. A volume fills its frame.
  for (const atMs of [0, 10, 26])
    expect(leaves({ volumeBasedMaxKbps: 512 }, atMs)).toBeCloseTo(frames + 954 + frames, 6);
  expect(leaves({ rateBasedMaxKbps: 512 }, 10)).toBeCloseTo(frames + 954 + frames, 6);
  expect(leaves({ rateBasedMaxKbps: 256, volumeBasedMaxKbps: 256 }, 10)).toBeCloseTo(frames + 954 + frames, 6);
  expect(leaves({ constantKbps: 512 }, 10)).toBeCloseTo(10 + 480 / 512, 6);
});

describe('the count of capacity', () => {
  /** A packet of 500 bytes every 40 ms, which is every fourth frame, for 4 s. */
  const use = (demand: object) => {
    const model = modelOf(demand, 40);
    model.beginRound(0);
    for (let index = 0; index < 100; index++) {
      model.take(100_000 + index * 40);
      model.arrive(index, { sizeBytes: 500, atMs: 100_000 + index * 40 });
    }
    drain(model);
    return model.capacityUse(1_000_000)!;
  };

  test('has all of a constant assignment, from the first packet to the last', () => {
    const { assignedBytes, usedBytes, overMs } = use({ constantKbps: 400 });
    expect(usedBytes).toBeCloseTo(50_000, 3);
    expect(overMs).toBeCloseTo(99 * 40 + frameMs, 3);
    expect(assignedBytes).toBeCloseTo((400 * overMs) / 8, 3);
  });

  test('has just what was sent where volumes are requested, and more where rates are', () => {
    const volume = use({ volumeBasedMaxKbps: 400 });
    expect(volume.assignedBytes).toBeCloseTo(50_000, 0);
    expect(volume.usedBytes).toBeCloseTo(50_000, 3);
    const rate = use({ rateBasedMaxKbps: 400 });
    expect(rate.usedBytes).toBeCloseTo(50_000, 3);
    expect(rate.assignedBytes).toBeGreaterThan(60_000);
    expect(rate.assignedBytes).toBeLessThan(use({ constantKbps: 400 }).assignedBytes);
  });
});

test('a count of capacity that begins within a frame leaves out what that frame had sent before', () => {
  const rate = open({ constantKbps: 800 });
  rate.noteArrival(500, 0);
  rate.noteSent(4000);
  rate.beginRound(5);
  expect(rate.capacityUse(5)).toEqual({ assignedBytes: 0, usedBytes: 0, overMs: 0 });
  rate.noteArrival(250, 6);
  rate.noteSent(2000);
  expect(rate.capacityUse(20)).toEqual({ assignedBytes: 1000, usedBytes: 250, overMs: 10 });
});

test('an idle hour is passed over at once, and frames stay where they were', () => {
  const rate = open({ constantKbps: 8 });
  expect(rate.segmentAt(3_600_004)).toEqual({ kbps: 8, untilMs: 3_600_010 });
});

test('packets that are larger than a slot cross as their slots come, and nothing is asked for twice', () => {
  const model = modelOf({ volumeBasedMaxKbps: 400 }, 100);
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

test('the more capacity waits for packets, the shorter they wait, and the more is wasted: CRA, both requests, volume requests alone', () => {
  const random = createRandom(5);
  const gapsMs = Array.from({ length: 500 }, () => -10 * Math.log(1 - random()));
  const [constant, mixed, volume] = (['bod-cra', 'bod-mixed', 'bod-vbdc'] as const).map((preset) => {
    const model = new LinkModel<number>({
      direction: resolveLinkProfile({ preset }).return,
      random: () => 0,
      startMs: 0,
    });
    model.beginRound(0);
    let atMs = 0;
    let waitedMs = 0;
    for (const gapMs of gapsMs) {
      atMs += gapMs;
      for (const { packet, dueMs } of model.take(atMs)) waitedMs += dueMs - packet;
      model.arrive(atMs, { sizeBytes: 66, atMs });
    }
    while (model.nextEventMs() < Infinity)
      for (const { packet, dueMs } of model.take(model.nextEventMs())) waitedMs += dueMs - packet;
    const { assignedBytes, usedBytes } = model.capacityUse(atMs + 1e6)!;
    return { meanMs: waitedMs / gapsMs.length, utilisation: usedBytes / assignedBytes };
  });
  expect(constant!.meanMs).toBeLessThan(mixed!.meanMs);
  expect(mixed!.meanMs).toBeLessThan(volume!.meanMs);
  expect(constant!.utilisation).toBeLessThan(mixed!.utilisation);
  expect(mixed!.utilisation).toBeLessThan(volume!.utilisation);
});
