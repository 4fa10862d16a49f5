import { z } from 'zod';

/** Each bin is wider than the one before by this ratio: quantiles are known to a fifth of a percent, however many values there are. */
const ratio = 1.002;
const leastMs = 0.01;

export const DelaySummarySchema = z.object({ p50Ms: z.number(), p95Ms: z.number() });
export type DelaySummary = z.infer<typeof DelaySummarySchema>;

/** Counts delays in bins of equal ratio, so that hours of packets take no more memory than a minute. */
export class DelayHistogram {
  readonly #bins = new Map<number, number>();
  #count = 0;

  add(delayMs: number): void {
    const bin = Math.round(Math.log(Math.max(leastMs, delayMs) / leastMs) / Math.log(ratio));
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + 1);
    this.#count += 1;
  }

  /** Null when there is none. */
  summarize(): DelaySummary | null {
    if (this.#count === 0) return null;
    return { p50Ms: this.#quantile(0.5), p95Ms: this.#quantile(0.95) };
  }

  #quantile(probability: number): number {
    const least = Math.ceil(probability * this.#count);
    let cumulative = 0;
    for (const bin of [...this.#bins.keys()].sort((a, b) => a - b)) {
      cumulative += this.#bins.get(bin)!;
      if (cumulative >= least) return leastMs * ratio ** bin;
    }
    throw new Error('The bins hold fewer values than were added');
  }
}
