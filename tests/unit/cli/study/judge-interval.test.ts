import { describe, expect, it } from 'vitest';
import { judgeInterval, judgeStudy } from '#cli/study/judge-study.ts';
import { joinVerdicts } from '#cli/study/format-quantity.ts';
import type { Measurements } from '#cli/study/study-measurements.ts';
import { StudySchema } from '#core/study/study-definition.ts';
import { countPoint } from '#tests/support/counted-point.ts';
import { makeStudyRun } from '#tests/support/make-study-run.ts';

const of = (low: number, high: number) => ({ value: (low + high) / 2, interval: { low, high }, blocks: 5 });

describe('a claim', () => {
  it.each([
    ['is confirmed if the interval excludes the opposite', of(0.21, 0.4), { above: 0.2 }, 'confirmed'],
    ['is contradicted if the interval excludes the claim', of(0.1, 0.19), { above: 0.2 }, 'contradicted'],
    ['is neither if the interval has both', of(0.1, 0.3), { above: 0.2 }, 'not-confirmed'],
    ['below a limit is judged alike', of(0.1, 0.19), { below: 0.2 }, 'confirmed'],
    ['between limits needs both ends within', of(-0.04, 0.04), { above: -0.05, below: 0.05 }, 'confirmed'],
    ['between limits is contradicted above both', of(0.06, 0.1), { above: -0.05, below: 0.05 }, 'contradicted'],
    ['between limits is open where one end is outside', of(0.03, 0.1), { above: -0.05, below: 0.05 }, 'not-confirmed'],
    ['is not confirmed by an interval that touches the limit', of(0.2, 0.3), { above: 0.2 }, 'not-confirmed'],
    [
      'is not confirmed without an interval',
      { value: 0.9, interval: null, blocks: 1 },
      { above: 0.2 },
      'not-confirmed',
    ],
    ['is not measured without a value', null, { above: 0.2 }, 'not-measured'],
  ] as const)('%s', (_, estimate, bound, verdict) => {
    expect(judgeInterval(estimate, bound)).toBe(verdict);
  });
});

describe('a claim of several parts', () => {
  it.each([
    [['confirmed', 'confirmed'], 'confirmed'],
    [['confirmed', 'not-confirmed'], 'not-confirmed'],
    [['confirmed', 'contradicted', 'not-measured'], 'contradicted'],
    [['confirmed', 'not-measured'], 'not-measured'],
    [['not-measured', 'not-comparable'], 'not-comparable'],
    [[], 'not-measured'],
  ] as const)('%j is %s', (verdicts, joint) => {
    expect(joinVerdicts(verdicts)).toBe(joint);
  });
});

/** The verdicts on a claim with these checks, and then on each of them. */
function judge(checks: readonly object[], run: Partial<Measurements>): string[] {
  const parts = StudySchema.shape.parts.parse([{ name: 'one', evaluation: 'one.yaml', minutes: 2, quickMinutes: 1 }]);
  const expectations = StudySchema.shape.expectations.parse([{ source: 'A paper', claim: 'so it is', checks }]);
  const study = { parts, closedForms: [], expectations };
  const [finding] = judgeStudy(study, new Map([['one', makeStudyRun(run)]])).findings;
  return [finding!.verdict, ...finding!.checks.map(({ verdict }) => verdict)];
}

describe('a claim of several quantities', () => {
  // Mean 100, with a 95 % interval of 90 to 110, and a 99 % interval of 77 to 123.
  const visits = [96, 100, 104].map((packets, index) => ({
    ...{ block: index + 1, scenario: 'a', userAgent: 'alice', page: '/', variables: {} },
    values: { packets },
  }));
  const mean = { kind: 'mean', metric: 'packets', scenario: 'a' };
  const check = (above: number) => ({ quantity: mean, bound: { above } });

  it('is contradicted by one of them only if its interval among so many excludes the claim, too', () => {
    expect(judge([check(115)], { visits })).toEqual(['contradicted', 'contradicted']);
    const holding = [50, 51, 52, 53].map(check);
    expect(judge([check(115), ...holding], { visits })[0]).toBe('not-confirmed');
    expect(judge([check(125), ...holding], { visits })[0]).toBe('contradicted');
    expect(judge(holding, { visits })[0]).toBe('confirmed');
  });

  it('is contradicted by chance in at most 5 % of Runs, be there one quantity or twelve', () => {
    // Of twelve pages on which nothing differs. A generator of Lehmer’s, and sums of twelve numbers for a normal distribution.
    let state = 42;
    const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const normal = () => Array.from({ length: 12 }, next).reduce((sum, each) => sum + each, -6);
    const draw = () =>
      Array.from({ length: 10 }, (_, block) =>
        Array.from({ length: 12 }, (__, page) => ({
          ...{ block, scenario: 'a', userAgent: 'alice', page: `/${page}`, variables: { page } },
          values: { packets: 100 + normal() },
        })),
      ).flat();
    const runs = 200;
    const contradicted = Array.from({ length: runs }, draw).filter(
      (of) => judge([{ ...check(100), each: 'page' }], { visits: of })[0] === 'contradicted',
    );
    expect(contradicted.length / runs).toBeLessThan(0.05);
  });

  it('is not measured as a whole where it is to hold for each page, and one has no value', () => {
    const pages = [1, 2, 3].flatMap((images) =>
      visits.map((visit) => ({
        ...visit,
        page: `/${images}`,
        variables: { images },
        values: images === 2 ? {} : visit.values,
      })),
    );
    const each = { each: 'page', bound: { above: 50 } };
    expect(judge([{ ...each, quantity: mean }], { visits: pages })).toEqual([
      'not-measured',
      'confirmed',
      'not-measured',
      'confirmed',
    ]);
    const others = { ...mean, where: { images: { from: 3 } } };
    expect(judge([{ ...each, quantity: others }], { visits: pages })).toEqual(['confirmed', 'confirmed']);
  });
});

it('what crossed a Capture Point is not compared of Scenarios of which one loses objects', () => {
  const points = [1, 2, 3].flatMap((block) => [
    countPoint({ scenario: 'direct', block, packets: 100 + block }),
    countPoint({ scenario: 'proxy', block, packets: 50 + block }),
  ]);
  const quantity = { kind: 'capture-point', point: 'ground', figure: 'packets', scenario: 'proxy', against: 'direct' };
  const checks = [{ quantity, bound: { below: 0.9 } }];
  expect(judge(checks, { points })[0]).toBe('confirmed');
  expect(judge(checks, { points, isComparable: () => false })[0]).toBe('not-comparable');
});
