import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { testVariables } from '#cli/test/test-options.ts';
import { findChangePoints, leastCourse, type ChangePoint, type MeasuredValue } from '#core/statistics/change-points.ts';

interface Course {
  /** By index of the value. */
  levelAt?: (index: number) => number;
  /** Of each value, which is known. */
  errorAt?: (index: number) => number;
  /** Between values, which is not. */
  between?: number;
  values: number;
}

/** Simulated courses, and what is found in each. The same seed gives the same ones. */
function simulate(seed: number, courses: number, course: Course): ChangePoint[][] {
  const { values, levelAt = () => 0, errorAt = () => 1, between = 0 } = course;
  const generator = xoroshiro128plus(seed);
  const normal = () =>
    Math.sqrt(-2 * Math.log1p(-uniformFloat64(generator))) * Math.cos(2 * Math.PI * uniformFloat64(generator));
  return Array.from({ length: courses }, () => {
    const measured = Array.from({ length: values }, (_, index): MeasuredValue => {
      const standardError = errorAt(index);
      return { value: levelAt(index) + between * normal() + standardError * normal(), standardError };
    });
    return findChangePoints(measured, { level: 0.05, generator });
  });
}

/** Quick simulates the first two of a list of conditions, and the slow tier all. */
const someOf = <Condition>(conditions: Condition[]) =>
  process.env[testVariables.all] === undefined ? conditions.slice(0, 2) : conditions;

const share = (all: readonly unknown[], some: readonly unknown[]) => some.length / all.length;

/** What a share of `courses` may exceed its true value by, in 1 of 1000 simulations. */
const chance = (courses: number, of = 0.05) => 3.1 * Math.sqrt((of * (1 - of)) / courses);

test.for(
  someOf<[string, Course]>([
    ['few', { values: 8 }],
    ['more', { values: 24 }],
    ['values that vary more than their errors', { values: 20, between: 3 }],
    ['a first half that is four times as exact', { values: 20, errorAt: (index) => (index < 10 ? 0.25 : 1) }],
    [
      'a first half that is four times as exact, and varies more',
      { values: 20, errorAt: (index) => (index < 10 ? 0.25 : 1), between: 0.5 },
    ],
    ['a second half of very exact ones', { values: 16, errorAt: (index) => (index < 8 ? 1 : 0.1), between: 0.3 }],
    ['errors of all sizes', { values: 16, errorAt: (index) => 0.2 + ((index * 7) % 5), between: 0.5 }],
  ]),
)('at most 5 % of the courses without a change show one: $0', ([, course]) => {
  const found = simulate(11, 500, course);
  const alarms = found.filter((changes) => changes.length > 0);
  expect(share(found, alarms)).toBeLessThan(0.05 + chance(found.length));
});

test.for(
  someOf<[number, number, number]>([
    [20, 2, 0.85],
    [20, 1.5, 0.6],
    [40, 1.5, 0.9],
    [12, 3, 0.85],
  ]),
)(
  'in %i values, a change of %f standard deviations in the middle is found with a power of at least %f',
  ([values, size, power]) => {
    const found = simulate(12, 100, { values, levelAt: (index) => (index < values / 2 ? 0 : size) });
    expect(
      share(
        found,
        found.filter((changes) => changes.length > 0),
      ),
    ).toBeGreaterThan(power);
  },
);

test.for(
  someOf<[string, Course & { at: number; size: number }]>([
    ['in the middle', { values: 24, at: 12, size: 2.5 }],
    ['near the end', { values: 30, at: 26, size: 3 }],
    [
      'among values that vary more than their errors',
      { values: 30, at: 15, size: 3, errorAt: () => 0.5, between: 0.9 },
    ],
    ['of unequal errors', { values: 24, at: 10, size: -3, errorAt: (index) => (index % 3 === 0 ? 2 : 0.8) }],
  ]),
)('the intervals of place and size cover the true ones as often as they say: %s', ([, { at, size, ...course }]) => {
  const found = simulate(13, 160, { ...course, levelAt: (index) => (index < at ? 0 : size) });
  const single = found.flatMap((changes) => (changes.length === 1 ? changes : []));
  expect(share(found, single)).toBeGreaterThan(0.8);
  const least = 0.95 - chance(single.length);
  expect(
    share(
      single,
      single.filter(({ earliest, latest }) => earliest <= at && at <= latest),
    ),
  ).toBeGreaterThan(least);
  expect(
    share(
      single,
      single.filter(({ change }) => change.low <= size && size <= change.high),
    ),
  ).toBeGreaterThan(least);
  for (const change of single) {
    expect(change.earliest <= change.at && change.at <= change.latest).toBe(true);
    expect(change.change.value).toBeCloseTo(change.after - change.before, 10);
  }
});

test('two changes are found, each with its own place and levels, and no third one more often than by chance', () => {
  const levelAt = (index: number) => (index >= 12 && index < 26 ? 4 : 0);
  const found = simulate(14, 100, { values: 40, levelAt });
  const pairs = found.filter(({ length }) => length === 2);
  expect(share(found, pairs)).toBeGreaterThan(0.9);
  const means = (pick: (changes: ChangePoint[]) => number) =>
    pairs.reduce((sum, each) => sum + pick(each), 0) / pairs.length;
  expect(means(([first]) => first!.at)).toBeCloseTo(12, 0);
  expect(means(([, second]) => second!.at)).toBeCloseTo(26, 0);
  expect(means(([first]) => first!.after)).toBeCloseTo(4, 0);
  expect(means(([, second]) => second!.after)).toBeCloseTo(0, 0);
  expect(
    share(
      found,
      found.filter(({ length }) => length > 2),
    ),
  ).toBeLessThan(0.05 + chance(found.length));
});

test('a step without scatter is found where it is, and constant or few values show nothing', () => {
  const course = (values: number[]) => values.map((value) => ({ value, standardError: 0 }));
  const find = (values: number[]) => findChangePoints(course(values), { level: 0.05, generator: xoroshiro128plus(1) });
  expect(find([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])).toMatchObject([{ at: 5, earliest: 5, latest: 5, before: 1, after: 2 }]);
  const level = (value: number) => Array.from({ length: 10 }, () => value);
  expect(find([...level(1), ...level(5), ...level(3)])).toMatchObject([
    { at: 10, earliest: 10, latest: 10, before: 1, after: 5, change: { value: 4 } },
    { at: 20, earliest: 20, latest: 20, before: 5, after: 3, change: { value: -2 } },
  ]);
  expect(find(Array.from({ length: 30 }, () => 7))).toEqual([]);
  expect(find([1, 1, 1, 2, 2, 2, 2])).toEqual([]);
  expect(find([])).toEqual([]);
  // A single value is no level.
  expect(find([1, 1, 1, 1, 1, 1, 1, 1, 1, 9])).toEqual([]);
  expect([0.05, 0.025, 0.01].map(leastCourse)).toEqual([8, 9, 10]);
});

test('an exact value counts more than a vague one, unless values scatter more than their errors', () => {
  const find = (course: MeasuredValue[]) => findChangePoints(course, { level: 0.05, generator: xoroshiro128plus(1) });
  const level = (values: number[], errors: number[], add = 0) =>
    values.map((value, index) => ({ value: value + add, standardError: errors[index]! }));
  const vague = [
    [0, 0, 5, 0, 0, 0],
    [0.1, 0.1, 10, 0.1, 0.1, 0.1],
  ] as const;
  const [change, ...others] = find([
    ...level([...vague[0]], [...vague[1]]),
    ...level([...vague[0]], [...vague[1]], 20),
  ]);
  expect(others).toEqual([]);
  expect(change!.at).toBe(6);
  expect([change!.before, change!.after]).toEqual([expect.closeTo(0, 1), expect.closeTo(20, 1)]);
  const scattered = [
    [1, -1, 1, -1, 1, -1],
    [0.001, 0.1, 0.1, 0.1, 0.1, 0.1],
  ] as const;
  const [apart] = find([
    ...level([...scattered[0]], [...scattered[1]]),
    ...level([...scattered[0]], [...scattered[1]], 20),
  ]);
  expect([apart!.before, apart!.after]).toEqual([expect.closeTo(0, 1), expect.closeTo(20, 1)]);
});
