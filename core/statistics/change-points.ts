import cdf from '@stdlib/stats-base-dists-t-cdf';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { tQuantile } from './mean-interval.ts';

/** One value of a course with its own standard error. Values of a course may vary by more than that. */
export interface MeasuredValue {
  value: number;
  standardError: number;
}

/** Where a course changed from one level to another, and how improbable that is where it did not. */
export interface ChangePoint extends ChangePlace {
  p: number;
}

const fewestPermutations = 999;
const mostPermutations = 9999;
const bisections = 50;

/**
 * The places at which the level of a course changed: none in at most `level` of the courses without a change, however their values are distributed, if they are in no order.
 * The likelihood-ratio statistic of one change (Hawkins 1977; Worsley 1979), each value weighted by its variance, is held against its permutation distribution (Antoch and
 * Hušková 2001). Where it shows a change, both sides are searched again (Vostrikova 1981), each at half the level.
 */
export function findChangePoints(
  course: readonly MeasuredValue[],
  { level, generator }: { level: number; generator: RandomGenerator },
): ChangePoint[] {
  const found = search(course, { level, generator, offset: 0 });
  const weighted = weigh(
    course,
    found.map(({ at }) => at),
  );
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

/** The weight of each value is one over its variance: that of its own error, and that between values. `changes`: where other levels begin. */
function weigh(course: readonly MeasuredValue[], changes: readonly number[] = []): WeightedValue[] {
  const between = varianceBetween(course, changes);
  const largest = Math.max(...course.map(({ standardError }) => standardError ** 2 + between));
  return course.map(({ value, standardError }) => ({
    value,
    // Relative to the least of them. An error of 0 is not infinitely certain.
    weight: largest > 0 ? 1 / Math.max(1e-6, (standardError ** 2 + between) / largest) : 1,
  }));
}

/** That which makes the weighted squares as large as their degrees of freedom (Paule and Mandel 1982); 0 where the errors alone do. */
function varianceBetween(course: readonly MeasuredValue[], changes: readonly number[]): number {
  const levels = [0, ...changes].map((from, index) => course.slice(from, changes[index] ?? course.length));
  const degrees = course.length - levels.length;
  const excess = (between: number) => levels.reduce((sum, level) => sum + weightedSquares(level, between), 0) - degrees;
  const values = course.map(({ value }) => value);
  let [low, high] = [0, (Math.max(...values) - Math.min(...values)) ** 2];
  if (!(high > 0) || degrees <= 0) return 0;
  for (let step = 0; step < bisections; step++) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

function weightedSquares(level: readonly MeasuredValue[], between: number): number {
  const weights = level.map(({ standardError }) => 1 / (standardError ** 2 + between));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = level.reduce((sum, { value }, index) => sum + weights[index]! * value, 0) / all;
  return level.reduce((sum, { value }, index) => sum + weights[index]! * (value - mean) ** 2, 0);
}

interface SearchOptions {
  level: number;
  generator: RandomGenerator;
  /** Of the first value in the whole course. */
  offset: number;
}

/** In the order of the course. */
function search(course: readonly MeasuredValue[], options: SearchOptions): { at: number; p: number }[] {
  const { level, generator, offset } = options;
  if (course.length < leastCourse(level)) return [];
  const { at, p } = testChange(weigh(course), { level, generator });
  if (p > level) return [];
  const half = { level: level / 2, generator };
  return [
    ...search(course.slice(0, at), { ...half, offset }),
    { at: offset + at, p },
    ...search(course.slice(at), { ...half, offset: offset + at }),
  ];
}

/**
 * The place that explains most, and how often values in a random order explain as much: the larger part of two. In one order values keep their weights, which holds for weights that
 * are in no order themselves. In the other, values in units of their error change places, which holds for weights that are right. p is 1 as soon as it is sure to be above the level.
 */
function testChange(
  course: readonly WeightedValue[],
  { level, generator }: Pick<SearchOptions, 'level' | 'generator'>,
): { at: number; p: number } {
  const weights = Float64Array.from(course, ({ weight }) => weight);
  const values = Float64Array.from(course, ({ value }) => value);
  const observed = mostExplained(values, weights);
  const bound = observed.part * (1 - 1e-12);
  const mean = weightedMean(values, weights);
  const residuals = values.map((value, index) => (value - mean) * Math.sqrt(weights[index]!));
  const order = Uint32Array.from(course.keys());
  const [drawn, drawnWeights] = [new Float64Array(course.length), new Float64Array(course.length)];
  const permutations = Math.min(mostPermutations, Math.max(fewestPermutations, Math.ceil(10 / level)));
  let [withWeights, inUnits] = [0, 0];
  for (let count = 0; count < permutations; count++) {
    shuffle(order, generator);
    order.forEach((from, to) => {
      drawn[to] = values[from]!;
      drawnWeights[to] = weights[from]!;
    });
    if (mostExplained(drawn, drawnWeights).part >= bound) withWeights++;
    order.forEach((from, to) => {
      drawn[to] = residuals[from]! / Math.sqrt(weights[to]!);
    });
    if (mostExplained(drawn, weights).part >= bound) inUnits++;
    if ((Math.max(withWeights, inUnits) + 1) / (permutations + 1) > level) return { at: observed.at, p: 1 };
  }
  return { at: observed.at, p: (Math.max(withWeights, inUnits) + 1) / (permutations + 1) };
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

function shuffle(order: Uint32Array, generator: RandomGenerator): void {
  for (let index = order.length - 1; index > 0; index--) {
    const other = uniformInt(generator, 0, index);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
}

/** A value of a course; its variance is in proportion to one over its weight. */
interface WeightedValue {
  value: number;
  weight: number;
}

/** A change of level; places are indices of the first value after it. */
interface ChangePlace {
  at: number;
  /** The first and the last place that it may have, with 95 % confidence. */
  earliest: number;
  latest: number;
  /** The levels: weighted means. */
  before: number;
  after: number;
  /** After − before, with its 95 % interval. */
  change: { value: number; low: number; high: number };
}

/** A single value could be an outlier: it is no level. */
const leastSide = 2;
const confidence = 0.95;

/** One place that the change may have: how probable, and what the change is then. */
interface Candidate {
  at: number;
  probability: number;
  before: number;
  after: number;
  standardError: number;
}

/**
 * Where between `from` and `to` the level of a course changed, and by how much, given that it did once. Each place has its posterior probability, with no prior knowledge of place,
 * levels and variance (Smith 1975). The interval of the place covers those that are most probable, up to 95 %, and that of the size is of Student’s t over all of them.
 * At least four values are needed.
 */
function locateChange(course: readonly WeightedValue[], { from, to }: { from: number; to: number }): ChangePlace {
  const candidates = weighPlaces(course.slice(from, to));
  const degrees = to - from - 2;
  const likely = candidates.toSorted((one, other) => other.probability - one.probability);
  const best = likely[0]!;
  let [sum, earliest, latest] = [0, best.at, best.at];
  for (const { at, probability } of likely) {
    if (sum >= confidence) break;
    sum += probability;
    [earliest, latest] = [Math.min(earliest, at), Math.max(latest, at)];
  }
  return {
    at: from + best.at,
    earliest: from + earliest,
    latest: from + latest,
    before: best.before,
    after: best.after,
    change: {
      value: best.after - best.before,
      low: quantileOf(candidates, { p: (1 - confidence) / 2, degrees }),
      high: quantileOf(candidates, { p: (1 + confidence) / 2, degrees }),
    },
  };
}

function weighPlaces(course: readonly WeightedValue[]): Candidate[] {
  const count = course.length;
  const all = course.reduce((sum, { weight }) => sum + weight, 0);
  const mean = course.reduce((sum, { value, weight }) => sum + weight * value, 0) / all;
  const total = course.reduce((sum, { value, weight }) => sum + weight * (value - mean) ** 2, 0);
  const degrees = count - 2;
  let [weight, sum] = [0, 0];
  const places: (Candidate & { log: number })[] = [];
  for (let at = 1; at <= count - leastSide; at++) {
    const added = course[at - 1]!;
    weight += added.weight;
    sum += added.weight * (added.value - mean);
    if (at < leastSide) continue;
    const rest = all - weight;
    // Never quite nothing: two levels without any scatter are still no proof beyond all numbers.
    const residual = Math.max(total - (sum ** 2 * all) / (weight * rest), 1e-12 * total, Number.MIN_VALUE);
    places.push({
      at,
      probability: 0,
      log: -0.5 * Math.log(weight * rest) - (degrees / 2) * Math.log(residual),
      before: mean + sum / weight,
      after: mean - sum / rest,
      standardError: Math.sqrt((residual / degrees) * (1 / weight + 1 / rest)),
    });
  }
  const largest = Math.max(...places.map(({ log }) => log));
  const whole = places.reduce((part, { log }) => part + Math.exp(log - largest), 0);
  return places.map(({ log, ...place }) => ({ ...place, probability: Math.exp(log - largest) / whole }));
}

/** Of the size of the change, over all places: between the least and the greatest of those of each. */
function quantileOf(candidates: readonly Candidate[], { p, degrees }: { p: number; degrees: number }): number {
  const likely = candidates.filter(({ probability }) => probability > 1e-9);
  const t = tQuantile(p, degrees);
  const ofEach = likely.map(({ before, after, standardError }) => after - before + t * standardError);
  let [low, high] = [Math.min(...ofEach), Math.max(...ofEach)];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const below = likely.reduce(
      (sum, { probability, before, after, standardError }) =>
        sum + probability * cdf((middle - (after - before)) / standardError, degrees),
      0,
    );
    if (below < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
