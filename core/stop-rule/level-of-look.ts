import cdf from '@stdlib/stats-base-dists-normal-cdf';
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
