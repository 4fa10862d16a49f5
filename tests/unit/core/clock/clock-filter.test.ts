import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClockFilter } from '#core/clock/controller-clock.ts';
import { readExchange } from '#core/clock/clock-offset.ts';
import { measureResolution } from '#core/clock/epoch-clock.ts';

const start = 1.7e12;
const minute = 60_000;

/** An exchange at a time, with a Controller whose clock is ahead by what `offsetAt` says. */
function exchange(epochMs: number, [there, back]: readonly [number, number], offsetAt: (epochMs: number) => number) {
  const receivedEpochMs = epochMs + there + offsetAt(epochMs + there);
  return {
    sentEpochMs: epochMs,
    receivedEpochMs,
    repliedEpochMs: receivedEpochMs + 1,
    returnedEpochMs: epochMs + there + 1 + back,
  };
}

describe('the clock filter', () => {
  const delay = fc.double({ min: 0.01, max: 500, noNaN: true });

  it('is off by no more than it says, however asymmetric the ways and with any drift', () => {
    const readings = fc.array(fc.tuple(delay, delay, fc.integer({ min: 100, max: 60_000 })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: -90e-6, max: 90e-6, noNaN: true }),
        readings,
        (trueOffset, drift, ways) => {
          const offsetAt = (epochMs: number) => trueOffset + drift * (epochMs - start);
          const filter = new ClockFilter();
          let now = start;
          for (const [there, back, pauseMs] of ways) {
            filter.add(readExchange(exchange(now, [there, back], offsetAt), 0));
            now += there + 1 + back + pauseMs;
            const { offsetMs, errorMs } = filter.estimateAt(now)!;
            expect(Math.abs(offsetMs - offsetAt(now))).toBeLessThanOrEqual(errorMs + 0.002);
          }
        },
      ),
      // A long way there between two short ones, while the clocks drift.
      {
        examples: [
          [
            0,
            0.000050916089935153134,
            [
              [0.01, 0.01, 100],
              [12.551889648433862, 0.01, 38_601],
              [499.9998779296875, 0.01, 100],
              [0.01, 0.01, 100],
            ],
          ],
        ],
      },
    );
  });

  it('is as good as its best exchange, and better than that where slower ones came from both sides', () => {
    const filter = new ClockFilter();
    for (const way of [
      [5, 40],
      [0.2, 0.3],
      [30, 2],
    ] as const)
      filter.add(
        readExchange(
          exchange(start, way, () => 100),
          0,
        ),
      );
    expect(filter.estimateAt(start)!.errorMs).toBeCloseTo(0.25, 2);
    const both = new ClockFilter();
    for (const way of [
      [0, 10],
      [10, 0],
    ] as const)
      both.add(
        readExchange(
          exchange(start, way, () => 100),
          0,
        ),
      );
    expect(both.estimateAt(start)!.errorMs).toBeLessThan(0.01);
  });

  it('learns the drift of minutes, so that the offset stays known through a long Pass', () => {
    const offsetAt = (epochMs: number) => 100 + 30e-6 * (epochMs - start);
    const filter = new ClockFilter();
    for (let index = 0; index < 20; index++)
      filter.add(readExchange(exchange(start + index * 15_000, [0.3, 0.3], offsetAt), 0));
    const later = start + 15 * minute;
    const { offsetMs, errorMs } = filter.estimateAt(later)!;
    // 10 minutes after the last reading; without the drift it would be off by 18 ms, and could only say ±60 ms.
    expect(Math.abs(offsetMs - offsetAt(later))).toBeLessThan(1);
    expect(errorMs).toBeLessThan(6);
  });

  it('forgets what it knew of a clock that was stepped', () => {
    const filter = new ClockFilter();
    for (let index = 0; index < 8; index++)
      filter.add(
        readExchange(
          exchange(start + index * 1000, [0.3, 0.3], () => 5),
          0,
        ),
      );
    filter.add(
      readExchange(
        exchange(start + 9000, [0.3, 0.3], () => -700),
        0,
      ),
    );
    expect(filter.estimateAt(start + 9000)).toEqual({
      offsetMs: expect.closeTo(-700, 2) as number,
      errorMs: expect.closeTo(0.3, 2) as number,
    });
  });

  it('knows nothing before the first sample', () => {
    expect(new ClockFilter().estimateAt(start)).toBeNull();
  });

  it('allows for the steps of a coarse clock', () => {
    const coarse = (epochMs: number) => Math.floor(epochMs);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(fc.tuple(fc.double({ min: 0.01, max: 2, noNaN: true }), fc.double({ min: 0, max: 30, noNaN: true })), {
          minLength: 1,
          maxLength: 20,
        }),
        (fraction, readings) => {
          const filter = new ClockFilter();
          let now = start + fraction;
          for (const [way, pauseMs] of readings) {
            const receivedEpochMs = now + way;
            const returned = now + 2 * way;
            filter.add(
              readExchange(
                {
                  sentEpochMs: coarse(now),
                  receivedEpochMs,
                  repliedEpochMs: receivedEpochMs,
                  returnedEpochMs: coarse(returned),
                },
                1,
              ),
            );
            now = returned + pauseMs;
          }
          const { offsetMs, errorMs } = filter.estimateAt(coarse(now))!;
          expect(Math.abs(offsetMs)).toBeLessThanOrEqual(errorMs + 0.002);
        },
      ),
    );
  });
});

it('finds the step of a clock', () => {
  let calls = 0;
  expect(measureResolution(() => Math.floor(calls++ / 10) * 0.5)).toBe(0.5);
});
