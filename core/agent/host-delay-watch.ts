import type { EpochClock } from '../clock/epoch-clock.ts';
import { actEvery, type Time } from '../clock/time.ts';
import type { VisitOutcome } from '../protocol/visit.ts';

const periodMs = 50;

export interface HostDelayParts {
  epochClock: EpochClock;
  sleep: Time['sleep'];
  /** How long the programs that load the page wait for a processor from `begin` on, ms; null where the host does not say. */
  waits?: { begin: () => void; readMs: () => number | null };
}

interface Sample {
  epochMs: number;
  delayMs: number;
}

/**
 * Watches, while a page loads, by how much the host itself may make its latencies longer (ms): the larger of how late a timer of this program came, and how long the
 * program that waited longest for a processor did so.
 */
export class HostDelayWatch implements Disposable {
  readonly #parts: HostDelayParts;
  readonly #end = new AbortController();
  #samples: Sample[] = [];
  #dueEpochMs: number;
  #latestMs = 0;
  #waitedMs = 0;

  constructor(parts: HostDelayParts) {
    this.#parts = parts;
    this.#dueEpochMs = parts.epochClock() + periodMs;
    // So that what was waited before is known when it is to be forgotten.
    parts.waits?.readMs();
    actEvery(periodMs, () => this.#sample(), { sleep: parts.sleep, signal: this.#end.signal });
  }

  /** Just before the order to load: it only forgets what was seen until then. */
  readonly begin = (): void => {
    this.#samples = [];
    this.#latestMs = 0;
    this.#dueEpochMs = Math.max(this.#dueEpochMs, this.#parts.epochClock());
    this.#parts.waits?.begin();
    this.#waitedMs = 0;
  };

  /** From the order until the page was there, and up to 50 ms more. */
  delayOf(outcome: VisitOutcome): number {
    const endEpochMs = findEnd(outcome);
    return (this.#samples.find(({ epochMs }) => epochMs >= endEpochMs) ?? this.#sample()).delayMs;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }

  #sample(): Sample {
    const epochMs = this.#parts.epochClock();
    this.#latestMs = Math.max(this.#latestMs, epochMs - this.#dueEpochMs);
    this.#dueEpochMs = epochMs + periodMs;
    this.#waitedMs = this.#parts.waits?.readMs() ?? this.#waitedMs;
    const sample = { epochMs, delayMs: Math.max(this.#latestMs, this.#waitedMs) };
    this.#samples.push(sample);
    return sample;
  }
}

/** The last byte of what it loaded; what the engine did after it makes no latency longer. */
function findEnd({ snapshot }: VisitOutcome): number {
  const ends = snapshot?.requests.flatMap(({ endEpochMs }) => endEpochMs ?? []) ?? [];
  return ends.length === 0 ? Infinity : ends.reduce((latest, end) => Math.max(latest, end));
}
