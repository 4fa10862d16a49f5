import { assertNever } from '#core/assert-never.ts';
import type { LinkRate } from '#core/evaluation/network/link-profile.ts';
import type { RateTrace } from '#core/evaluation/network/link-profile-trace.ts';
import { OnDemandRate, type RateSegment, type RateSource } from './on-demand-rate.ts';

/** `startMs` is where a trace begins until `beginRound`, and the first frame. */
export function openRateSource(rate: LinkRate, startMs: number): RateSource {
  switch (rate.kind) {
    case 'unlimited':
      return { segmentAt: () => ({ kbps: Infinity, untilMs: Infinity }) };
    case 'constant':
      return { segmentAt: () => ({ kbps: rate.kbps, untilMs: Infinity }) };
    case 'trace':
      return followTrace(rate.trace, startMs);
    case 'on-demand':
      return new OnDemandRate({ ...rate, startMs });
    default:
      return assertNever(rate);
  }
}

/** The end of a segment, computed, may fall short of it by a rounding: a nanosecond before it counts as the next. */
const roundingMs = 1e-6;

function followTrace(trace: RateTrace, openedMs: number): RateSource {
  let startMs = openedMs;
  return {
    segmentAt: (ms) => readTrace(trace, { ms, startMs }),
    beginRound: (ms) => {
      startMs = ms;
    },
  };
}

function readTrace({ steps, repeatAfterMs }: RateTrace, { ms, startMs }: { ms: number; startMs: number }): RateSegment {
  const elapsedMs = Math.max(0, ms - startMs) + roundingMs;
  const round = repeatAfterMs === undefined ? 0 : Math.floor(elapsedMs / repeatAfterMs);
  const roundMs = round * (repeatAfterMs ?? 0);
  const index = lastStepAt(steps, elapsedMs - roundMs);
  const nextMs = steps[index + 1]?.[0] ?? repeatAfterMs ?? Infinity;
  return { kbps: steps[index]![1], untilMs: startMs + roundMs + nextMs };
}

/** The last step that has begun, found by halving: traces may have 100,000. */
function lastStepAt(steps: RateTrace['steps'], atMs: number): number {
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (steps[middle]![0] <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
