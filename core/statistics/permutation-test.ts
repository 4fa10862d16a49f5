import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

export interface PermutationTest {
  /** Two-sided. */
  p: number;
  /** Over all choices of signs; otherwise over 9,999 random ones. */
  isExact: boolean;
}

const exactUpTo = 13;
const randomChoices = 9999;

/**
 * The sign-flip test of paired differences (Fisher 1935): the part of all choices of signs whose sum is at least as far from 0 as that observed. With n
 * differences p cannot be below 2/2ⁿ: 0.0625 for 5. Beyond 13 differences over random choices, the observed one counted among them (Phipson,
 * Smyth 2010), so that p is never 0. As scipy's `permutation_test(permutation_type='samples')`.
 */
export function permutationTest(differences: readonly number[], generator: RandomGenerator): PermutationTest {
  const sum = differences.reduce((total, difference) => total + difference, 0);
  const size = differences.reduce((total, difference) => total + Math.abs(difference), 0);
  // Sums that are equal but for the order of adding count as equal.
  const bound = Math.abs(sum) - 1e-12 * size;
  return differences.length <= exactUpTo
    ? { p: countAll(differences, { sum, bound }) / 2 ** differences.length, isExact: true }
    : { p: (countRandom(differences, { bound, generator }) + 1) / (randomChoices + 1), isExact: false };
}

/** Walks through all choices of signs, changing one at a time (Gray code). */
function countAll(differences: readonly number[], { sum, bound }: { sum: number; bound: number }): number {
  const signed = [...differences];
  let count = 0;
  for (let choice = 1; choice <= 2 ** differences.length; choice++) {
    if (Math.abs(sum) >= bound) count++;
    const changed = 31 - Math.clz32(choice & -choice);
    if (changed >= signed.length) break;
    sum -= 2 * signed[changed]!;
    signed[changed] = -signed[changed]!;
  }
  return count;
}

function countRandom(
  differences: readonly number[],
  { bound, generator }: { bound: number; generator: RandomGenerator },
): number {
  let count = 0;
  for (let choice = 0; choice < randomChoices; choice++) {
    let sum = 0;
    let bits = 0;
    for (let index = 0; index < differences.length; index++) {
      if (index % 31 === 0) bits = uniformInt(generator, 0, 0x7fffffff);
      sum += bits & 1 ? differences[index]! : -differences[index]!;
      bits >>>= 1;
    }
    if (Math.abs(sum) >= bound) count++;
  }
  return count;
}
