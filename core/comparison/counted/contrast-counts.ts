import { fiellerInterval } from '../../statistics/fieller-interval.ts';
import { meanInterval } from '../../statistics/mean-interval.ts';
import type { CountContrast } from './counted-value.ts';

/** Counts by Block against those of another Scenario, over the Blocks that have both; null without any. */
export function contrastCounts(
  own: ReadonlyMap<number, number>,
  baseline: ReadonlyMap<number, number>,
  confidence: number,
): CountContrast | null {
  const pairs = [...own].flatMap(([block, x]) => {
    const y = baseline.get(block);
    return y === undefined ? [] : [{ x, y }];
  });
  if (pairs.length === 0) return null;
  const {
    count: blocks,
    mean,
    halfWidth,
  } = meanInterval(
    pairs.map(({ x, y }) => x - y),
    confidence,
  );
  return { blocks, difference: bound(mean, halfWidth), ratio: compareMeans(pairs, confidence) };
}

function compareMeans(pairs: readonly { x: number; y: number }[], confidence: number): CountContrast['ratio'] {
  if (pairs.every(({ y }) => y === 0)) return null;
  // Fieller's interval is relative to both means.
  if (pairs.every(({ x }) => x === 0)) return bound(0, pairs.length < 2 ? null : 0);
  const { ratio, low, high } = fiellerInterval(pairs, confidence);
  return { value: ratio, low, high };
}

function bound(mean: number, halfWidth: number | null): CountContrast['difference'] {
  if (halfWidth === null) return { value: mean, low: null, high: null };
  return { value: mean, low: mean - halfWidth, high: mean + halfWidth };
}
