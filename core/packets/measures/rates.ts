import { z } from 'zod';
import type { Instant } from './trace-times.ts';

const rate = z.number().nonnegative().nullable();

/** Null: unknown times or no duration, over which nothing has a rate. */
export const RatesSchema = z.object({
  durationS: z.number().nonnegative().nullable(),
  bytesPerS: rate,
  bitsPerS: rate,
  packetsPerS: rate,
});
export type Rates = z.infer<typeof RatesSchema>;

/**
 * Rates over the time from first to last packet. Computed as capinfos does, from the difference of two epoch times in double
 * precision, so that every printed digit is the same: it is right to about 0.24 µs, which shows in rates of traces shorter than a millisecond.
 */
export function computeRates(
  totals: { packets: number; dataBytes: number },
  times: { start: Instant; end: Instant } | null,
): Rates {
  if (times === null) return { durationS: null, bytesPerS: null, bitsPerS: null, packetsPerS: null };
  const { start, end } = times;
  const durationS = end.epochSeconds - start.epochSeconds + (end.nanoseconds - start.nanoseconds) / 1e9;
  const roundedS = end.epochSeconds + end.nanoseconds / 1e9 - (start.epochSeconds + start.nanoseconds / 1e9);
  if (roundedS <= 0) return { durationS, bytesPerS: null, bitsPerS: null, packetsPerS: null };
  const bytesPerS = totals.dataBytes / roundedS;
  return { durationS, bytesPerS, bitsPerS: bytesPerS * 8, packetsPerS: totals.packets / roundedS };
}
