/**
 * The smallest and the largest number of successes that are not in either tail of a binomial distribution of probability
 * (1 − confidence) / 2 each. Exact: sums of probabilities, each from the one before by the ratio of two neighbours.
 */
export function binomialBounds({ trials, ratio, confidence }: { trials: number; ratio: number; confidence: number }): {
  low: number;
  high: number;
} {
  if (ratio <= 0) return { low: 0, high: 0 };
  if (ratio >= 1) return { low: trials, high: trials };
  const tail = (1 - confidence) / 2;
  return { low: quantile({ trials, ratio, tail }), high: trials - quantile({ trials, ratio: 1 - ratio, tail }) };
}

/** The smallest count whose cumulative probability is above the tail's. */
function quantile({ trials, ratio, tail }: { trials: number; ratio: number; tail: number }): number {
  // Logarithms, as (1 − ratio)^trials is too small for a number when there are many trials.
  let logProbability = trials * Math.log1p(-ratio);
  let cumulative = Math.exp(logProbability);
  let count = 0;
  while (cumulative <= tail && count < trials) {
    logProbability += Math.log(((trials - count) * ratio) / ((count + 1) * (1 - ratio)));
    count += 1;
    cumulative += Math.exp(logProbability);
  }
  return count;
}
