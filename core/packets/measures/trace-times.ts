import { z } from 'zod';
import type { PacketRecord } from '../trace/packet-record.ts';

/** The first and last time in a trace, kept as whole seconds and nanoseconds: one double has no room for both. */
export class TraceTimes {
  #start: Instant | null = null;
  #end: Instant | null = null;
  /** One packet without a time leaves all unknown, as with capinfos. */
  #isUnknown = false;
  #originSeconds: number | null = null;

  add(record: PacketRecord): void {
    if (!record.hasTime) {
      this.#isUnknown = true;
      return;
    }
    this.#originSeconds ??= record.epochSeconds;
    if (this.#start === null || isEarlier(record, this.#start)) this.#start = copyInstant(record);
    if (this.#end === null || isEarlier(this.#end, record)) this.#end = copyInstant(record);
  }

  /** Since the second of the first packet: exact to the nanosecond for a hundred days. NaN where the packet has no time. */
  readRelativeNs(record: PacketRecord): number {
    return record.hasTime ? (record.epochSeconds - this.#originSeconds!) * 1e9 + record.nanoseconds : NaN;
  }

  /** Null when the trace has no packet, or one without a time. */
  finish(): { start: Instant; end: Instant } | null {
    return this.#isUnknown || this.#start === null || this.#end === null
      ? null
      : { start: this.#start, end: this.#end };
  }
}

export interface Instant {
  epochSeconds: number;
  nanoseconds: number;
  /** Decimal places of the second that the trace keeps here. */
  timeDigits: number;
}

export function formatEpochNs({ epochSeconds, nanoseconds }: Instant): string {
  return String(BigInt(epochSeconds) * 1_000_000_000n + BigInt(nanoseconds));
}

function isEarlier(a: Instant, b: Instant): boolean {
  return a.epochSeconds < b.epochSeconds || (a.epochSeconds === b.epochSeconds && a.nanoseconds < b.nanoseconds);
}

function copyInstant({ epochSeconds, nanoseconds, timeDigits }: Instant): Instant {
  return { epochSeconds, nanoseconds, timeDigits };
}

const rate = z.number().nonnegative().nullable();

/** Null: unknown times or no duration, over which nothing has a rate. */
export const RatesSchema = z.object({
  durationS: z.number().nonnegative().nullable(),
  bytesPerS: rate,
  bitsPerS: rate,
  packetsPerS: rate,
});
type Rates = z.infer<typeof RatesSchema>;

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
