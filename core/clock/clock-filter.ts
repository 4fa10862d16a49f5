import { maximumDriftRatio, type ClockOffset, type ClockSample } from './clock-offset.ts';

/** 20 samples of every 15 s are those of 5 minutes. */
const keptSamples = 20;
/** How far the drift itself may wander, such as with the temperature. */
const driftWanderRatio = 1e-6;

/**
 * The offset between two clocks that drift, from samples taken over some minutes. Each sample bounds the offset at its time. The filter takes every straight line
 * that runs through all bounds, and returns the middle of their values at the asked time; half their spread is the bound of its error. So a sample with a short
 * round trip counts, as in NTP's clock filter (RFC 5905, section 10), and one with a long round trip does no harm.
 */
export class ClockFilter {
  #samples: ClockSample[] = [];

  /** Samples come in the order of their times. */
  add(sample: ClockSample): void {
    this.#samples = [...this.#samples, sample].slice(-keptSamples);
    // A clock that was stepped fits no line with what was read before.
    while (estimateFrom(this.#samples, sample.epochMs) === null) this.#samples.shift();
  }

  /** The smallest bound of all samples: about half the shortest round trip. Null without any. */
  get smallestErrorMs(): number | null {
    return this.#samples.length === 0 ? null : Math.min(...this.#samples.map(({ errorMs }) => errorMs));
  }

  /** The offset at a time on this host's clock, not before the last sample. Null without a sample. */
  estimateAt(epochMs: number): ClockOffset | null {
    const last = this.#samples.at(-1);
    return last ? estimateFrom(this.#samples, Math.max(epochMs, last.epochMs)) : null;
  }
}

/** Null when no line runs through all bounds. */
function estimateFrom(samples: readonly ClockSample[], nowEpochMs: number): ClockOffset | null {
  const bounds = samples.map(({ epochMs, offsetMs, errorMs }) => {
    const ageMs = nowEpochMs - epochMs;
    const halfMs = errorMs + driftWanderRatio * ageMs;
    return { ageMs, lowMs: offsetMs - halfMs, highMs: offsetMs + halfMs };
  });
  // The drifts with which a line can run above one bound and below another.
  let [slowest, fastest] = [-maximumDriftRatio, maximumDriftRatio];
  for (const { ageMs: lowAgeMs, lowMs } of bounds) {
    for (const { ageMs: highAgeMs, highMs } of bounds) {
      const apartMs = lowAgeMs - highAgeMs;
      if (apartMs === 0 && highMs < lowMs) return null;
      if (apartMs > 0) fastest = Math.min(fastest, (highMs - lowMs) / apartMs);
      if (apartMs < 0) slowest = Math.max(slowest, (highMs - lowMs) / apartMs);
    }
  }
  if (slowest > fastest) return null;
  const lowMs = Math.max(...bounds.map((bound) => bound.lowMs + slowest * bound.ageMs));
  const highMs = Math.min(...bounds.map((bound) => bound.highMs + fastest * bound.ageMs));
  return { offsetMs: (lowMs + highMs) / 2, errorMs: Math.max(0, (highMs - lowMs) / 2) };
}
