import cdf from '@stdlib/stats-base-dists-normal-cdf';
import type { Repetition } from '../evaluation/rounds/repetition.ts';
import { lookBoundaries } from '../statistics/look-boundaries.ts';

/** Of α, for all looks after Rounds were added. */
export const spentOnLater = 0.2;

const known = new Map<string, number>();

/**
 * The level of a test at the last of these looks, each given by how many Blocks there were. The first spends what it had when nobody knew of others. The later ones share a fifth of α:
 * the i-th gets the part 1 / (i · (i + 1)) of it, so that the sum never exceeds it, no matter how often Rounds are added.
 */
export function levelOfLook(looks: readonly number[], { alpha, first }: { alpha: number; first: number }): number {
  if (looks.length < 2) return first;
  const key = JSON.stringify([looks, alpha, first]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const boundary = lookBoundaries(
    looks.map((count, index) => ({
      count,
      spent: index === 0 ? first : (spentOnLater * alpha) / (index * (index + 1)),
    })),
  ).at(-1)!;
  const level = 2 * cdf(-boundary, 0, 1);
  known.set(key, level);
  return level;
}

/** Of α, in a Run that the stop rule may end. */
const spentOnStopping = 0.2;

/**
 * The confidence at which intervals are computed so that they hold the one that was declared. With a fixed number of Rounds it is that. A stop rule ends a Run when its values
 * happen to vary little, so that its intervals are a little too narrow and its p-values a little too small (about 6 % false positives instead of 5 %, docs/statistics.md):
 * where there is one, intervals are computed at 1 − 0.8·α, and p-values are held against 0.8·α.
 *
 * `looks`: where Rounds were added after the result had been seen, how many Blocks there were each time, and are now (decision 56). Such a Run had another chance to show a
 * difference by accident. Where the Evaluation declares that Rounds may be added, its first look leaves a fifth of α for that.
 */
export function intervalConfidence(
  { adaptive, mayAddRounds }: Pick<Repetition, 'adaptive' | 'mayAddRounds'>,
  confidence: number,
  looks: readonly number[] = [],
): number {
  const alpha = 1 - confidence;
  const level = levelOfLook(looks, { alpha, first: mayAddRounds ? alpha * (1 - spentOnLater) : alpha });
  if (level === alpha && !adaptive) return confidence;
  return 1 - level * (adaptive ? 1 - spentOnStopping : 1);
}
