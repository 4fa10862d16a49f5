import type { Repetition } from '../evaluation/repetition.ts';

/** Of α, in a Run that the stop rule may end. */
const spentOnStopping = 0.2;

/**
 * The confidence at which intervals are computed so that they hold the one that was declared. With a fixed number of Rounds it is that. A stop rule ends a Run when its values
 * happen to vary little, so that its intervals are a little too narrow and its p-values a little too small (about 6 % false positives instead of 5 %, docs/statistics.md):
 * where there is one, intervals are computed at 1 − 0.8·α, and p-values are held against 0.8·α.
 */
export function intervalConfidence({ adaptive }: Pick<Repetition, 'adaptive'>, confidence: number): number {
  return adaptive ? 1 - (1 - confidence) * (1 - spentOnStopping) : confidence;
}
