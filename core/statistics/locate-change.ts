import cdf from '@stdlib/stats-base-dists-t-cdf';
import { tQuantile } from './t-quantile.ts';

/** A value of a course; its variance is in proportion to one over its weight. */
export interface WeightedValue {
  value: number;
  weight: number;
}

/** A change of level; places are indices of the first value after it. */
export interface ChangePlace {
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
export const leastSide = 2;
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
export function locateChange(
  course: readonly WeightedValue[],
  { from, to }: { from: number; to: number },
): ChangePlace {
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
