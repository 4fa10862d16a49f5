import { describe, expect, it } from 'vitest';
import { judgeInterval } from '#cli/study/judge-study.ts';
import { joinVerdicts } from '#cli/study/format-quantity.ts';

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
