import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Seeded numbers of the distributions that the simulations draw from. */
export class RandomSource {
  readonly generator: RandomGenerator;
  #spare: number | null = null;

  constructor(seed: number) {
    this.generator = xoroshiro128plus(seed);
  }

  /** Between 0 and 1, both left out. */
  uniform(): number {
    return ((this.generator.next() >>> 0) + 0.5) / 2 ** 32;
  }

  /** Standard normal (Box, Muller 1958). */
  normal(): number {
    if (this.#spare !== null) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.#spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
}
