import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * A generator of its own for each purpose, from the seed of the Run: that of one does not depend on what else is computed, or in which order. The seed and the
 * purpose are mixed as in MurmurHash3's finaliser, so that purposes 1 and 2 share no stretch of numbers.
 */
export function deriveGenerator(seed: number, purpose: number): RandomGenerator {
  let mixed = (seed ^ Math.imul(purpose + 1, 0x9e3779b1)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return xoroshiro128plus(mixed ^ (mixed >>> 16));
}
