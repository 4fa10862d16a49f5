import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureSkew } from '#controller/runs/read-start-skew.ts';
import { summarizeSkew } from '#core/comparison/comparison.ts';

describe('the skew of the starts of a Round', () => {
  it('is from the first to the last, and as uncertain as the clocks of both hosts together', () => {
    const starts = [
      { host: 'a', epochMs: 1000, errorMs: 0.5 },
      { host: 'b', epochMs: 1003, errorMs: 2 },
      { host: 'c', epochMs: 1001, errorMs: 1 },
    ];
    expect(measureSkew(starts)).toEqual({ skewMs: 3, errorMs: 2.5 });
    expect(measureSkew(starts.slice(0, 1))).toBeNull();
  });

  it('may be larger by a host whose clock is less sure, though it seems to begin earlier', () => {
    const starts = [
      { host: 'a', epochMs: 1000, errorMs: 0 },
      { host: 'b', epochMs: 1010, errorMs: 0 },
      { host: 'c', epochMs: 1009, errorMs: 5 },
    ];
    expect(measureSkew(starts)).toEqual({ skewMs: 10, errorMs: 4 });
  });

  it('has no error of the clock on one host', () => {
    expect(
      measureSkew([
        { host: 'a', epochMs: 1000, errorMs: 9 },
        { host: 'a', epochMs: 1002, errorMs: 9 },
      ]),
    ).toEqual({ skewMs: 2, errorMs: 0 });
  });

  it('is as uncertain as both instants together, on one host too', () => {
    expect(
      measureSkew([
        { host: 'a', epochMs: 1000, errorMs: 9, ownErrorMs: 2 },
        { host: 'a', epochMs: 1010, errorMs: 9, ownErrorMs: 1 },
      ]),
    ).toEqual({ skewMs: 10, errorMs: 3 });
  });

  it('is off by no more than it says', () => {
    const ms = fc.double({ min: 0, max: 50, noNaN: true });
    const agent = fc.record({
      errorMs: ms,
      part: fc.double({ min: -1, max: 1, noNaN: true }),
      trueMs: fc.array(ms, { minLength: 1, maxLength: 3 }),
      ownErrorMs: ms,
      ownPart: fc.double({ min: -1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(agent, { minLength: 1, maxLength: 6 }), (agents) => {
        const starts = agents.flatMap(({ errorMs, part, trueMs, ownErrorMs, ownPart }, index) =>
          trueMs.map((trueEpochMs) => {
            const epochMs = trueEpochMs + part * errorMs + ownPart * ownErrorMs;
            return { host: String(index), epochMs, errorMs, ownErrorMs };
          }),
        );
        const measured = measureSkew(starts);
        if (!measured) return;
        const all = agents.flatMap(({ trueMs }) => trueMs);
        expect(Math.abs(measured.skewMs - (Math.max(...all) - Math.min(...all)))).toBeLessThanOrEqual(
          measured.errorMs + 1e-9,
        );
      }),
    );
  });

  it('is summarized over the Rounds that have one, with the largest error where each has one', () => {
    expect(
      summarizeSkew([
        { skewMs: 1, errorMs: 0.1 },
        { skewMs: null, errorMs: null },
        { skewMs: 5, errorMs: 0.4 },
      ]),
    ).toEqual({ rounds: 2, medianMs: 3, largestMs: 5, errorMs: 0.4 });
    expect(
      summarizeSkew([
        { skewMs: 1, errorMs: 0.1 },
        { skewMs: 5, errorMs: null },
      ]),
    ).toMatchObject({ errorMs: null });
    expect(summarizeSkew([{ skewMs: null, errorMs: null }])).toBeNull();
  });
});
