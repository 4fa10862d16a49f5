import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from '#testbed/link/model/fifo.ts';
import { ArrivalClock } from '#testbed/link/userspace/relay.ts';
import { PreciseTimer } from '#testbed/link/userspace/precise-timer.ts';

test('a packet that waited to be read came when the kernel stamped it', () => {
  const clock = new ArrivalClock();
  expect(clock.arrivalMs(1_000_000, 50, 1_000_000)).toBe(50); // read at once: the clocks' offset is known
  expect(clock.arrivalMs(1_000_010, 85, 1_000_035)).toBe(60); // read 25 ms late
  expect(clock.arrivalMs(1_000_040.875, 91, 1_000_040)).toBe(90.875); // the wall clock is read in whole milliseconds
  expect(clock.arrivalMs(1_000_050, 105, 1_000_090)).toBe(100); // the process had no CPU before it read the wall clock
});

test.for([10_000, 1_000, 300, 5])('a wall clock that is set back by %i ms, or forward, moves no packet', (backMs) => {
  const clock = new ArrivalClock();
  clock.arrivalMs(1_000_000, 50, 1_000_000);
  const back = 1_000_000 - backMs;
  // It came before the clock was set, and is read after that.
  expect(clock.arrivalMs(1_000_010, 60, back + 10)).toBe(60);
  expect(clock.arrivalMs(back + 20, 70, back + 20)).toBe(70);
  expect(clock.arrivalMs(back + 30, 83, back + 33)).toBe(80);
  expect(clock.arrivalMs(2_000_000, 90, 2_000_000)).toBe(90);
  expect(clock.arrivalMs(2_000_005, 97, 2_000_007)).toBe(95);
});

test('no packet comes later than it is read', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true }))),
      (readings) => {
        const clock = new ArrivalClock();
        for (const [stampEpochMs, nowMs] of readings)
          expect(clock.arrivalMs(stampEpochMs, nowMs, 5e5)).toBeLessThanOrEqual(nowMs);
      },
    ),
  );
});

test('first in, first out', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer(), { nil: undefined }), { maxLength: 5000, size: 'max' }), (steps) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      for (const step of steps) {
        if (step !== undefined) {
          fifo.add(step);
          model.push(step);
        } else {
          expect(fifo.peek()).toBe(model[0]);
          expect(fifo.take()).toBe(model.shift());
        }
        expect(fifo.length).toBe(model.length);
      }
    }),
    { numRuns: 50 },
  );
});

test('a timer never calls early, and only for the last time that was set', async () => {
  for (const waitMs of [0, 0.4, 3.3, 12.7]) {
    let nowMs = 0;
    const called = Promise.withResolvers<number>();
    // Moves as it is read.
    const timer = new PreciseTimer(
      () => called.resolve(nowMs),
      () => (nowMs += 0.05),
    );
    timer.set(1000);
    timer.set(waitMs);
    expect(await called.promise).toBeGreaterThanOrEqual(waitMs);
    timer.set(Infinity);
  }
});
