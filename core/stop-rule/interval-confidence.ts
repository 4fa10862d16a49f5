import type { Repetition } from '../evaluation/rounds/repetition.ts';
import { levelOfLook, spentOnLater } from './level-of-look.ts';

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
