import { describe, expect, it } from 'vitest';
import type { MeasuredVisit } from '#cli/study/study-measurements.ts';
import { formatEstimate } from '#cli/study/format-quantity.ts';
import { judgeInterval } from '#cli/study/judge-study.ts';
import { measureQuantity } from '#cli/study/measure-quantity.ts';
import { QuantitySchema } from '#core/study/quantity.ts';
import { makeStudyRun } from '#tests/support/make-study-run.ts';

/** Two Scenarios, two pages, three Blocks: `slow` takes 1000 ms and 100 ms for each image, `fast` half of that, each Block 10 % more than the one before. */
const visits: MeasuredVisit[] = [1, 2, 3].flatMap((block) =>
  ['slow', 'fast'].flatMap((scenario) =>
    [10, 30].map((images) => ({
      block,
      scenario,
      userAgent: 'alice',
      page: `/images/${images}`,
      variables: { images },
      values: {
        totalMs: (1000 + 100 * images) * (scenario === 'fast' ? 0.5 : 1) * 1.1 ** (block - 1),
        packets: scenario === 'fast' ? 40 + block : 75 + 2 * block,
      },
    })),
  ),
);
const run = makeStudyRun({ visits });
const measure = (quantity: unknown, measurements = run) =>
  measureQuantity(QuantitySchema.parse(quantity), measurements);

describe('a quantity', () => {
  it('mean: over pages, then over Blocks', () => {
    // c(78, 79, 80): mean 78, as the pages of a Block are alike
    const measured = measure({ kind: 'mean', metric: 'packets', scenario: 'slow' })!;
    expect(measured.value).toBeCloseTo(79, 9);
    expect(measured.blocks).toBe(3);
  });

  it('mean of times: the geometric one, with an interval that cannot fall below zero', () => {
    const measured = measure({ kind: 'mean', metric: 'totalMs', scenario: 'slow' })!;
    expect(measured.value).toBeCloseTo(3000 * 1.1, 6);
    // exp(log(1.1) ± qt(0.975, 2) · sd / √3), with sd = log(1.1)
    expect(measured.interval!.low).toBeCloseTo(3300 * 1.1 ** -2.484138, 2);
    expect(measured.interval!.high).toBeCloseTo(3300 * 1.1 ** 2.484138, 2);
    const zero = visits.map((visit) => ({ ...visit, values: { totalMs: visit.block - 1 } }));
    expect(measure({ kind: 'mean', metric: 'totalMs', scenario: 'slow' }, { ...run, visits: zero })!.value).toBe(1);
  });

  it('reduction for one user: against the geometric mean of all, page by page', () => {
    // bob takes four times as long as alice: alice half, and bob twice their geometric mean
    const bob = visits.map((visit) => ({ ...visit, userAgent: 'bob', values: { totalMs: 4 * visit.values.totalMs! } }));
    const of = (userAgent: string) =>
      measure(
        { kind: 'user-reduction', metric: 'totalMs', scenario: 'slow', userAgent },
        { ...run, visits: [...visits, ...bob] },
      );
    expect(of('alice')!.value).toBeCloseTo(0.5, 9);
    expect(of('bob')!.value).toBeCloseTo(-1, 9);
    expect(of('carol')).toBeNull();
  });

  it('reduction for one user among some: the others do not count', () => {
    const slower = (userAgent: string, factor: number) =>
      visits.map((visit) => ({ ...visit, userAgent, values: { totalMs: factor * visit.values.totalMs! } }));
    const all = { ...run, visits: [...visits, ...slower('bob', 4), ...slower('carol', 4)] };
    const of = (among?: string[]) =>
      measure({ kind: 'user-reduction', metric: 'totalMs', scenario: 'slow', userAgent: 'bob', among }, all)!;
    expect(of(['bob', 'carol']).value).toBeCloseTo(0, 9);
    expect(of(['alice', 'bob']).value).toBeCloseTo(-1, 9);
    // 4 over the geometric mean of 1, 4 and 4
    expect(of().value).toBeCloseTo(1 - 4 / 16 ** (1 / 3), 9);
  });

  it('of several that are to hold together: with a wider interval', () => {
    const difference = QuantitySchema.parse({
      kind: 'difference',
      metric: 'packets',
      scenario: 'slow',
      against: 'fast',
    });
    // qt(0.995, 2) / √3, of five at 95 %
    expect(measureQuantity(difference, run, 5)!.interval!.high).toBeCloseTo(37 + 5.73011, 4);
    // The logarithm of the first user’s time is log(0.9) ± 0.1 · qt(0.975, 2) / √3.
    const at = (halfWidth: number) => 1 - 0.9 * Math.exp(halfWidth);
    const firstToStart = { ratio: 0.1, low: at(0.2484138), high: at(-0.2484138), blocks: 3, p: null, adjustedP: null };
    const users = { kind: 'measured', scenarios: [{ scenario: 'fast', firstToStart }] } as unknown as typeof run.users;
    const first = QuantitySchema.parse({ kind: 'first-to-start', scenario: 'fast' });
    expect(measureQuantity(first, { ...run, users })!.interval!.low).toBeCloseTo(at(0.2484138), 9);
    const { low, high } = measureQuantity(first, { ...run, users }, 5)!.interval!;
    expect(low).toBeCloseTo(at(0.573011), 5);
    expect(high).toBeCloseTo(at(-0.573011), 5);
  });

  it('rate: the received bytes over the page load time', () => {
    const received = visits.map((visit) => ({
      ...visit,
      values: { totalMs: 2000, receivedBytes: 1000 * visit.block },
    }));
    const measured = measure({ kind: 'rate', scenario: 'slow' }, { ...run, visits: received })!;
    // 8000, 16,000 and 24,000 bits in 2 s
    expect(measured.value).toBeCloseTo(8, 9);
    expect(measured.blocks).toBe(3);
    expect(measure({ kind: 'rate', scenario: 'slow' })).toBeNull();
  });

  it('bytes at a Capture Point: page by page as at the User Agent itself', () => {
    const crossed = visits.map((visit) => ({
      ...visit,
      bytesAt: { link: (visit.scenario === 'fast' ? 500 : 1000) * visit.variables.images! },
    }));
    const at = { metric: 'bytes', at: 'link', scenario: 'fast' };
    const ofLink = (quantity: object) => measure({ ...at, ...quantity }, { ...run, visits: crossed });
    expect(ofLink({ kind: 'mean' })!.value).toBe(10_000);
    expect(ofLink({ kind: 'reduction', against: 'slow' })!.value).toBeCloseTo(0.5, 12);
    expect(ofLink({ kind: 'slope', on: 'images' })!.value).toBeCloseTo(500, 9);
    expect(ofLink({ kind: 'largest', where: { images: 10 } })!.value).toBe(5000);
    expect(ofLink({ kind: 'mean', at: 'elsewhere' })).toBeNull();
    expect(() => ofLink({ kind: 'mean', metric: 'packets' })).toThrow(/needs the metric/);
  });

  it('counts the chosen pages only', () => {
    const ofTen = measure({ kind: 'mean', metric: 'totalMs', scenario: 'slow', where: { images: 10 } })!;
    const upToTen = measure({ kind: 'mean', metric: 'totalMs', scenario: 'slow', where: { images: { to: 10 } } })!;
    expect(ofTen.value).toBeCloseTo(2000 * 1.1, 6);
    expect(upToTen).toEqual(ofTen);
    expect(measure({ kind: 'mean', metric: 'totalMs', scenario: 'slow', where: { images: 11 } })).toBeNull();
    expect(measure({ kind: 'mean', metric: 'totalMs', scenario: 'slow', where: { objects: 10 } })).toBeNull();
  });

  it('difference: with the interval of R’s t.test(c(36, 37, 38))', () => {
    // slow − fast = 36, 37, 38: mean 37, sd 1, t(0.975, 2) / √3 = 2.484138
    const measured = measure({ kind: 'difference', metric: 'packets', scenario: 'slow', against: 'fast' })!;
    expect(measured.value).toBeCloseTo(37, 9);
    expect(measured.interval!.low).toBeCloseTo(37 - 2.484138, 5);
    expect(measured.interval!.high).toBeCloseTo(37 + 2.484138, 5);
  });

  it('reduction: exactly a half in each Block, whatever the drift', () => {
    const measured = measure({ kind: 'reduction', metric: 'totalMs', scenario: 'fast', against: 'slow' })!;
    expect(measured.value).toBeCloseTo(0.5, 12);
    expect(measured.interval!.low).toBeCloseTo(0.5, 9);
    expect(measured.interval!.high).toBeCloseTo(0.5, 9);
  });

  it('difference of two reductions, block by block', () => {
    const quantity = { kind: 'reduction-difference', metric: 'totalMs', scenario: 'fast', against: 'slow' };
    const none = { scenario: 'slow', against: 'slow' };
    expect(measure({ ...quantity, minus: none })!.value).toBeCloseTo(0.5, 12);
    // As long as slow, less than half as long as slow: −1.
    const back = { scenario: 'slow', against: 'fast' };
    expect(measure({ ...quantity, minus: back })!.value).toBeCloseTo(0.5 + 1, 12);
    expect(measure({ ...quantity, minus: { scenario: 'slow', against: 'none' } })).toBeNull();
  });

  it('slope and ratio of slopes', () => {
    const slope = measure({ kind: 'slope', metric: 'totalMs', on: 'images', scenario: 'slow' })!;
    expect(slope.value).toBeCloseTo((100 * (1 + 1.1 + 1.21)) / 3, 6);
    const ratio = measure({ kind: 'slope-ratio', metric: 'totalMs', on: 'images', scenario: 'fast', against: 'slow' })!;
    expect(ratio.value).toBeCloseTo(0.5, 12);
    expect(
      measure({ kind: 'slope', metric: 'totalMs', on: 'images', scenario: 'slow', where: { images: 10 } }),
    ).toBeNull();
  });

  it('has no value where it would be a multiple of nothing, or the logarithm of it', () => {
    const flat = visits.map((visit) => (visit.scenario === 'slow' ? { ...visit, values: { totalMs: 1000 } } : visit));
    const ratio = { kind: 'slope-ratio', metric: 'totalMs', on: 'images', scenario: 'fast', against: 'slow' };
    expect(measure(ratio, { ...run, visits: flat })).toBeNull();
    const none = visits.map((visit) => ({ ...visit, userAgent: 'bob', values: { totalMs: 0 } }));
    const ofAlice = { kind: 'user-reduction', metric: 'totalMs', scenario: 'slow', userAgent: 'alice' };
    expect(measure(ofAlice, { ...run, visits: [...visits, ...none] })).toBeNull();
  });

  it('largest: of any Visit that was chosen', () => {
    const measured = measure({ kind: 'largest', metric: 'totalMs', scenario: 'fast', where: { images: 30 } })!;
    expect(measured.value).toBeCloseTo(2000 * 1.21, 9);
    expect(measured.interval).toEqual({ low: measured.value, high: measured.value });
    expect(measured.blocks).toBe(3);
    expect(measure({ kind: 'largest', metric: 'totalMs', scenario: 'none' })).toBeNull();
  });

  it('largest: of Visits of which one has no value, at least what was seen', () => {
    const [, ...others] = visits;
    const failed = { ...run, visits: [{ ...visits[0]!, values: {} }, ...others] };
    const of = (images: number) =>
      measure({ kind: 'largest', metric: 'totalMs', scenario: 'slow', where: { images } }, failed)!;
    expect(of(10)).toMatchObject({ blocks: 2, interval: { low: of(10).value, high: Number.MAX_VALUE } });
    expect(judgeInterval(of(10), { below: of(10).value + 1 })).toBe('not-confirmed');
    expect(judgeInterval(of(10), { below: of(10).value - 1 })).toBe('contradicted');
    expect(of(30).interval).toEqual({ low: of(30).value, high: of(30).value });
    const quantity = QuantitySchema.parse({ kind: 'largest', metric: 'totalMs', scenario: 'slow' });
    expect(formatEstimate(quantity, of(10))).toMatch(/ s \(of 2 Visits, and others have no value\)$/);
  });

  it('least fairness: of any Round in which the User Agents received something together', () => {
    const round = (scenario: string, ...received: number[]) => ({
      block: 0,
      scenario,
      hasDrops: false,
      users: received.map((bytes, user) => ({
        userAgent: `user ${user}`,
        firstPacketEpochMs: 0,
        lastPacketEpochMs: 1000,
        clockOffsetMs: 0,
        repairs: null,
        received: { binMs: 1000, bins: [0], bytes: [bytes] },
      })),
    });
    const traffic = [round('fair', 100, 100), round('fair', 100, 300), round('unfair', 1, 0)];
    const loaded = [0, 1].flatMap((user) => visits.map((visit) => ({ ...visit, userAgent: `user ${user}` })));
    const together = { ...run, visits: loaded, traffic };
    expect(measure({ kind: 'fairness', scenario: 'fair' }, together)).toMatchObject({ value: 0.9, blocks: 2 });
    // (100 + 300)² / (2 · (100² + 300²))
    expect(measure({ kind: 'least-fairness', scenario: 'fair' }, together)).toEqual({
      value: 0.8,
      interval: { low: 0.8, high: 0.8 },
      blocks: 2,
    });
    expect(measure({ kind: 'least-fairness', scenario: 'fair' })).toBeNull();
    expect(measure({ kind: 'least-to-most', scenario: 'fair' }, together)!.value).toBeCloseTo(1 / 3, 12);
    expect(measure({ kind: 'least-to-most', scenario: 'fair' })).toBeNull();
    // In a Round in which nobody received anything, shares are not known. They may be less.
    const unknown = { ...together, traffic: [...traffic, round('fair', 0, 0)] };
    const least = { kind: 'least-fairness', scenario: 'fair' };
    expect(measure(least, unknown)).toEqual({ value: 0.8, interval: { low: 0, high: 0.8 }, blocks: 2 });
    expect(formatEstimate(QuantitySchema.parse(least), measure(least, unknown))).toBe(
      '0.8 (of 2 Rounds, and others have no value)',
    );
    // 1/2 and 3/4
    const share = { kind: 'user-share', scenario: 'fair', userAgent: 'user 1' };
    expect(measure(share, together)).toMatchObject({ value: 0.625, blocks: 2 });
    // The share of two is none of three: one was not captured in any of these Rounds.
    const third = visits.map((visit) => ({ ...visit, userAgent: 'user 2' }));
    const withThird = { ...together, visits: [...loaded, ...third] };
    for (const quantity of [share, { kind: 'least-to-most', scenario: 'fair' }, { kind: 'fairness', scenario: 'fair' }])
      expect(measure(quantity, withThird)).toBeNull();
    const whole = { ...withThird, traffic: [...traffic, round('fair', 100, 100, 200)] };
    expect(measure(share, whole)).toMatchObject({ value: 0.25, blocks: 1 });
  });

  it('over the ideal: one round trip, and the bytes with their headers at the rate', () => {
    const known = visits.map((visit) => ({ ...visit, values: { ...visit.values, receivedBytes: 100_000 } }));
    const quantity = { kind: 'over-ideal', scenario: 'slow', where: { images: 30 } };
    // 600 ms + 1.06 · 800 kbit / 1000 kb/s = 1448 ms
    const measured = measure(quantity, { ...run, visits: known })!;
    expect(measured.value).toBeCloseTo((4000 * (1 + 1.1 + 1.21)) / 3 / 1448, 9);
    expect(measured.blocks).toBe(3);
    expect(measure(quantity)).toBeNull();
    const linkOf = () => ({ rttMs: 600, forwardKbps: null, returnKbps: null });
    expect(measure(quantity, { ...run, visits: known, linkOf })).toBeNull();
  });

  it('figure of the network: the mean over Blocks, or the difference block by block', () => {
    const network = [1, 2, 3].flatMap((block) =>
      ['slow', 'fast'].map((scenario) => ({
        block,
        scenario,
        figures: [{ figure: 'return utilisation', unit: '%' as const, value: scenario === 'fast' ? 40 + block : 20 }],
      })),
    );
    const quantity = { kind: 'network-figure', figure: 'return utilisation', unit: '%', scenario: 'fast' };
    expect(measure(quantity, { ...run, network })).toMatchObject({ value: 42, blocks: 3 });
    const difference = measure({ ...quantity, against: 'slow' }, { ...run, network })!;
    // t(0.975, 2) / √3
    expect(difference.value).toBeCloseTo(22, 9);
    expect(difference.interval!.low).toBeCloseTo(22 - 2.484138, 5);
    expect(measure({ ...quantity, unit: 'ms' }, { ...run, network })).toBeNull();
    expect(measure(quantity)).toBeNull();
  });

  it('without an interval of one Block, and null of a metric that no Visit has', () => {
    const one = { ...run, visits: visits.filter(({ block }) => block === 1) };
    expect(measure({ kind: 'mean', metric: 'packets', scenario: 'fast' }, one)).toEqual({
      value: 41,
      interval: null,
      blocks: 1,
    });
    expect(measure({ kind: 'mean', metric: 'firstPaintMs', scenario: 'fast' })).toBeNull();
    expect(measure({ kind: 'fairness', scenario: 'fast' })).toBeNull();
    expect(measure({ kind: 'first-to-start', scenario: 'fast' })).toBeNull();
  });

  it('a Visit without a value is missing in its Block only', () => {
    const lossy = visits.map((visit) =>
      visit.block === 2 && visit.scenario === 'fast' && visit.variables.images === 10
        ? { ...visit, values: {} }
        : visit,
    );
    const measured = measure(
      { kind: 'difference', metric: 'packets', scenario: 'slow', against: 'fast' },
      { ...run, visits: lossy },
    )!;
    expect(measured.value).toBeCloseTo(37, 9);
    expect(measured.blocks).toBe(3);
  });
});
