import { z } from 'zod';
import { isBefore } from './unacknowledged-segments.ts';

/** More stretches are joined with their neighbours. */
const maximumStretches = 1_000;
/** A hole behind which more parts than this have come is given up. */
const maximumParts = 1_000;

/**
 * When a lost TCP segment of the local addresses, or for them, was on its way again: stretches of time, [start, end] in ms since 1970 on the clock of the trace. They are in order and apart.
 * Of a received segment: from the first that came behind the hole until the hole was filled. Of a sent one: from its first sending to the last. Definition: docs/metrics.md.
 */
export const RepairsSchema = z.array(z.tuple([z.number(), z.number()])).max(maximumStretches);
export type Repairs = z.infer<typeof RepairsSchema>;

/** Puts the stretches of all connections of a trace together, in any order. */
export class LossRepairs {
  #stretches: Repairs = [];
  #joinedWithinMs = 0;

  add(startMs: number, endMs: number): void {
    this.#insert(startMs, endMs);
    while (this.#stretches.length > maximumStretches) {
      this.#joinedWithinMs = Math.max(1, 2 * this.#joinedWithinMs);
      const stretches = this.#stretches;
      this.#stretches = [];
      for (const [start, end] of stretches) this.#insert(start, end);
    }
  }

  finish(): Repairs {
    return this.#stretches;
  }

  /** Most end last: it looks from the end. */
  #insert(startMs: number, endMs: number): void {
    const stretches = this.#stretches;
    const within = this.#joinedWithinMs;
    let after = stretches.length;
    while (after > 0 && stretches[after - 1]![0] > endMs + within) after--;
    let first = after;
    let [start, end] = [startMs, endMs];
    for (; first > 0 && stretches[first - 1]![1] + within >= start; first--) {
      start = Math.min(start, stretches[first - 1]![0]);
      end = Math.max(end, stretches[first - 1]![1]);
    }
    stretches.splice(first, after - first, [start, end]);
  }
}

/** What has come of one direction of a connection: all up to its first hole, and parts behind it. Sequence numbers are signed 32-bit. */
export class ArrivedBytes {
  #end: number | null = null;
  /** In order and apart. */
  #parts: { start: number; end: number }[] = [];
  #brokenNs = 0;

  /** Returns since when bytes were missing, if this segment brings the last of them. */
  add(start: number, end: number, timeNs: number): number | null {
    this.#end ??= start;
    if (!isBefore(this.#end, end)) return null;
    if (isBefore(this.#end, start)) {
      if (this.#parts.length === 0) this.#brokenNs = timeNs;
      this.#insert(start, end);
      if (this.#parts.length > maximumParts) this.skipTo(this.#parts.at(-1)!.end);
      return null;
    }
    const hadHole = this.#parts.length > 0;
    this.skipTo(end);
    return hadHole && this.#parts.length === 0 ? this.#brokenNs : null;
  }

  /** What the receiver acknowledges has come, even where the trace lacks it. */
  skipTo(end: number): void {
    if (this.#end === null || !isBefore(this.#end, end)) return;
    this.#end = end;
    let covered = 0;
    for (; covered < this.#parts.length && !isBefore(this.#end, this.#parts[covered]!.start); covered++)
      if (isBefore(this.#end, this.#parts[covered]!.end)) this.#end = this.#parts[covered]!.end;
    this.#parts.splice(0, covered);
  }

  #insert(start: number, end: number): void {
    const parts = this.#parts;
    let first = parts.length;
    while (first > 0 && !isBefore(parts[first - 1]!.end, start)) first--;
    let after = first;
    const joined = { start, end };
    for (; after < parts.length && !isBefore(end, parts[after]!.start); after++) {
      if (isBefore(parts[after]!.start, joined.start)) joined.start = parts[after]!.start;
      if (isBefore(joined.end, parts[after]!.end)) joined.end = parts[after]!.end;
    }
    parts.splice(first, after - first, joined);
  }
}
