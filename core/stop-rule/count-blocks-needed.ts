import type { Repetition } from '../evaluation/rounds/repetition.ts';
import { intervalConfidence } from './interval-confidence.ts';
import { halfWidthOf } from './target-half-width.ts';

/** A spread of values, one per Block, and how narrow the interval of their mean is to become. */
export interface Goal {
  standardDeviation: number;
  halfWidth: number;
}

/** How many Blocks a Run needs in all, after these looks at its result, until the interval of every mean is narrow enough; null when even `most` are too few, or nothing is known. */
export function countBlocksNeeded(
  goals: readonly Goal[],
  {
    repetition,
    confidence,
    looks,
    most,
  }: { repetition: Repetition; confidence: number; looks: readonly number[]; most: number },
): number | null {
  if (goals.length === 0) return null;
  const isEnough = (blocks: number) => {
    const confidenceThen = intervalConfidence(repetition, confidence, [...looks, blocks]);
    return goals.every(
      ({ standardDeviation, halfWidth }) =>
        halfWidthOf({ count: blocks, mean: 0, standardDeviation }, { rounds: blocks, confidence: confidenceThen })! <=
        halfWidth,
    );
  };
  let [low, high] = [Math.max(2, (looks.at(-1) ?? 0) + 1), most + 1];
  if (!isEnough(most)) return null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
