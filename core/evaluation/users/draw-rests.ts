import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { deriveGenerator } from '../../statistics/derive-generator.ts';
import { longestDrawInMeans, type Rest } from './rest.ts';

/** Where in a Run the rests are taken. */
interface RestPlace {
  /** Of the Run. */
  seed: number;
  block: number;
  /** The position of the User Agent in the Evaluation. */
  userIndex: number;
}

/**
 * The rest before each Visit of a Pass, in whole ms. Think times are drawn from the seed, the Block and the User Agent: all Scenarios of a Block have the
 * same ones, so that Scenarios differ in what is compared alone, and a Round that is measured again repeats them. Before the first Visit nobody thinks.
 */
export function drawRests(rest: Rest, { seed, block, userIndex }: RestPlace, visits: number): number[] {
  if (typeof rest === 'number') return Array.from({ length: visits }, () => rest);
  const ofBlock = uniformInt(deriveGenerator(seed, block), -0x80000000, 0x7fffffff);
  const generator = deriveGenerator(ofBlock, userIndex);
  return Array.from({ length: visits }, (_, index) => {
    if (index === 0) return 0;
    const draw = -Math.log1p(-uniformFloat64(generator));
    return Math.round(rest.exponential * Math.min(draw, longestDrawInMeans));
  });
}
