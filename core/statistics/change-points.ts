import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { leastSide, locateChange, type ChangePlace, type WeightedValue } from './locate-change.ts';

/** One value of a course with its own standard error. Values of a course may vary by more than that. */
export interface MeasuredValue {
  value: number;
  standardError: number;
}

/** Where a course changed from one level to another, and how improbable that is where it did not. */
export interface ChangePoint extends ChangePlace {
  p: number;
}

const fewestPermutations = 1999;
const mostPermutations = 9999;

/**
 * The places at which the level of a course changed: none in at most `level` of the courses without a change, however their values are distributed, if they are independent.
 * The likelihood-ratio statistic of one change (Hawkins 1977; Worsley 1979), each value weighted by its variance, is held against its permutation distribution (Antoch and
 * Hušková 2001). Where it shows a change, both sides are searched again (Vostrikova 1981), each at half the level.
 */
export function findChangePoints(
  course: readonly MeasuredValue[],
  { level, generator }: { level: number; generator: RandomGenerator },
): ChangePoint[] {
  const weighted = weigh(course);
  const found = search(weighted, { level, generator, offset: 0 });
  const changes: ChangePoint[] = [];
  for (const [index, { p }] of found.entries()) {
    // The changes beside it bound what it is estimated from, so that they do not blur it.
    const from = changes.at(-1)?.at ?? 0;
    const to = found[index + 1]?.at ?? weighted.length;
    changes.push({ ...locateChange(weighted, { from, to }), p });
  }
  return changes;
}

/** How many values it takes to show a change at a level: of fewer, no order is that rare. */
export function leastCourse(level: number): number {
  let length = 2 * leastSide;
  while (2 / countChoices(length, Math.floor(length / 2)) > level) length++;
  return length;
}

function countChoices(of: number, chosen: number): number {
  let choices = 1;
  for (let index = 1; index <= chosen; index++) choices = (choices * (of - chosen + index)) / index;
  return choices;
}

/**
 * The weight of each value is one over its variance: that of its own error, and that between values, which is half the mean square of successive differences beyond
 * their errors (von Neumann 1941), so that a few changes hardly widen it.
 */
function weigh(course: readonly MeasuredValue[]): WeightedValue[] {
  const excess = course
    .slice(1)
    .map(({ value, standardError }, index) => {
      const before = course[index]!;
      return (value - before.value) ** 2 - standardError ** 2 - before.standardError ** 2;
    })
    .reduce((sum, each) => sum + each, 0);
  const between = Math.max(0, excess / 2 / Math.max(1, course.length - 1));
  const largest = Math.max(...course.map(({ standardError }) => standardError ** 2 + between));
  return course.map(({ value, standardError }) => ({
    value,
    // Relative to the least of them. An error of 0 is not infinitely certain.
    weight: largest > 0 ? 1 / Math.max(1e-6, (standardError ** 2 + between) / largest) : 1,
  }));
}

interface SearchOptions {
  level: number;
  generator: RandomGenerator;
  /** Of the first value in the whole course. */
  offset: number;
}

/** In the order of the course. */
function search(course: readonly WeightedValue[], options: SearchOptions): { at: number; p: number }[] {
  const { level, generator, offset } = options;
  if (course.length < leastCourse(level)) return [];
  const { at, p } = testChange(course, { level, generator });
  if (p > level) return [];
  const half = { level: level / 2, generator };
  return [
    ...search(course.slice(0, at), { ...half, offset }),
    { at: offset + at, p },
    ...search(course.slice(at), { ...half, offset: offset + at }),
  ];
}

/** The place that explains most, and how often values in a random order explain as much. p is 1 as soon as it is sure to be above the level. */
function testChange(
  course: readonly WeightedValue[],
  { level, generator }: Pick<SearchOptions, 'level' | 'generator'>,
): { at: number; p: number } {
  const weights = Float64Array.from(course, ({ weight }) => weight);
  const roots = weights.map(Math.sqrt);
  const values = Float64Array.from(course, ({ value }) => value);
  const mean = weightedMean(values, weights);
  const observed = mostExplained(values, weights);
  const permutations = Math.min(mostPermutations, Math.max(fewestPermutations, Math.ceil(10 / level)));
  // Values in units of their own error change places: each place keeps its error.
  const residuals = values.map((value, index) => (value - mean) * roots[index]!);
  const shuffled = new Float64Array(values.length);
  let asLarge = 0;
  for (let count = 0; count < permutations; count++) {
    shuffle(residuals, generator);
    for (let index = 0; index < shuffled.length; index++) shuffled[index] = residuals[index]! / roots[index]!;
    if (mostExplained(shuffled, weights).part >= observed.part * (1 - 1e-12)) asLarge++;
    if ((asLarge + 1) / (permutations + 1) > level) return { at: observed.at, p: 1 };
  }
  return { at: observed.at, p: (asLarge + 1) / (permutations + 1) };
}

/** The place whose two levels explain the largest part of the variance, from 0 to 1. */
function mostExplained(values: Float64Array, weights: Float64Array): { at: number; part: number } {
  const mean = weightedMean(values, weights);
  let [total, all] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    total += weights[index]! * (values[index]! - mean) ** 2;
    all += weights[index]!;
  }
  let best = { at: leastSide, part: 0 };
  if (!(total > 0)) return best;
  let [weight, sum] = [0, 0];
  for (let at = 1; at <= values.length - leastSide; at++) {
    weight += weights[at - 1]!;
    sum += weights[at - 1]! * (values[at - 1]! - mean);
    if (at < leastSide) continue;
    const part = (sum ** 2 * all) / (weight * (all - weight) * total);
    if (part > best.part) best = { at, part };
  }
  return best;
}

function weightedMean(values: Float64Array, weights: Float64Array): number {
  let [weight, sum] = [0, 0];
  for (let index = 0; index < values.length; index++) {
    weight += weights[index]!;
    sum += weights[index]! * values[index]!;
  }
  return sum / weight;
}

function shuffle(values: Float64Array, generator: RandomGenerator): void {
  for (let index = values.length - 1; index > 0; index--) {
    const other = uniformInt(generator, 0, index);
    [values[index], values[other]] = [values[other]!, values[index]!];
  }
}
