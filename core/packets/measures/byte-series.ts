import { z } from 'zod';

/** Bytes in equal stretches of wall-clock time; stretches without any are left out. */
export const ByteSeriesSchema = z.object({
  binMs: z.int().positive(),
  /** Which stretches: the first begins at `bins[0] × binMs` after 1970, so that series of several captures line up. */
  bins: z.array(z.int()),
  bytes: z.array(z.int().nonnegative()),
});
export type ByteSeries = z.infer<typeof ByteSeriesSchema>;

const finestBinMs = 100;

/** The bins of a stretch of time: from the one in which it begins to the one before that in which it ends. Both times are on the clock of the series. */
export function cutSeries(
  { binMs, bins, bytes }: ByteSeries,
  { fromEpochMs, untilEpochMs }: { fromEpochMs: number; untilEpochMs: number },
): ByteSeries {
  const first = Math.floor(fromEpochMs / binMs);
  const end = Math.floor(untilEpochMs / binMs);
  const isWithin = (index: number) => bins[index]! >= first && bins[index]! < end;
  return {
    binMs,
    bins: bins.filter((_, index) => isWithin(index)),
    bytes: bytes.filter((_, index) => isWithin(index)),
  };
}

export function sumSeries({ bytes }: ByteSeries): number {
  return bytes.reduce((sum, each) => sum + each, 0);
}

/**
 * Adds up bytes in bins of 100 ms. When more than `maximumBins` have bytes, neighbours are joined and the bins are twice as
 * long: a trace of days needs no more memory than one of minutes. `maximumBins` is at least 2, for bins on both sides of 1970 never join.
 */
export class ByteSeriesAccumulator {
  readonly #maximumBins: number;
  #binMs = finestBinMs;
  #bins: number[] = [];
  #bytes: number[] = [];

  constructor(maximumBins: number) {
    this.#maximumBins = maximumBins;
  }

  add(epochMs: number, bytes: number): void {
    const bin = Math.floor(epochMs / this.#binMs);
    const last = this.#bins.length - 1;
    if (last >= 0 && this.#bins[last] === bin) this.#bytes[last]! += bytes;
    else if (last < 0 || this.#bins[last]! < bin) this.#append(bin, bytes);
    else this.#addEarlier(bin, bytes);
  }

  finish(): ByteSeries {
    return { binMs: this.#binMs, bins: this.#bins, bytes: this.#bytes };
  }

  #append(bin: number, bytes: number): void {
    this.#bins.push(bin);
    this.#bytes.push(bytes);
    if (this.#bins.length > this.#maximumBins) this.#joinNeighbours();
  }

  /** A packet may come in the trace after later ones. In one that was joined from several, hundreds of thousands do: the place is found by halving. */
  #addEarlier(bin: number, bytes: number): void {
    const index = firstAtLeast(this.#bins, bin);
    if (this.#bins[index] === bin) {
      this.#bytes[index]! += bytes;
      return;
    }
    this.#bins.splice(index, 0, bin);
    this.#bytes.splice(index, 0, bytes);
    if (this.#bins.length > this.#maximumBins) this.#joinNeighbours();
  }

  #joinNeighbours(): void {
    const bins = this.#bins;
    const bytes = this.#bytes;
    this.#binMs *= 2;
    this.#bins = [];
    this.#bytes = [];
    for (const [index, bin] of bins.entries()) {
      const joined = Math.floor(bin / 2);
      if (this.#bins.at(-1) === joined) this.#bytes[this.#bytes.length - 1]! += bytes[index]!;
      else {
        this.#bins.push(joined);
        this.#bytes.push(bytes[index]!);
      }
    }
    if (this.#bins.length > this.#maximumBins) this.#joinNeighbours();
  }
}

/** The index of the first value that is at least this. */
export function firstAtLeast(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
