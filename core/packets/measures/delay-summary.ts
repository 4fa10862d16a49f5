import { z } from 'zod';

/** Some delays: how many, the least, the mean, the greatest. */
export const DelaySummarySchema = z.object({
  count: z.int().positive(),
  minMs: z.number(),
  meanMs: z.number(),
  maxMs: z.number(),
});
export type DelaySummary = z.infer<typeof DelaySummarySchema>;

export class DelayAccumulator {
  #count = 0;
  #sumNs = 0;
  #minNs = Infinity;
  #maxNs = -Infinity;

  add(delayNs: number): void {
    this.#count++;
    this.#sumNs += delayNs;
    if (delayNs < this.#minNs) this.#minNs = delayNs;
    if (delayNs > this.#maxNs) this.#maxNs = delayNs;
  }

  /** Null when there was none. */
  summarize(): DelaySummary | null {
    if (this.#count === 0) return null;
    return {
      count: this.#count,
      minMs: this.#minNs / 1e6,
      meanMs: this.#sumNs / this.#count / 1e6,
      maxMs: this.#maxNs / 1e6,
    };
  }
}
