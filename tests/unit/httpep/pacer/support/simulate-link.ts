import { countWireBytes } from '#httpep/pacer/count-wire-bytes.ts';
import { Pacer } from '#httpep/pacer/pacer.ts';
import { RateEstimator } from '#httpep/pacer/rate-estimator.ts';

interface Link {
  /** kb/s at a moment. */
  rateAt: (ms: number) => number;
  oneWayMs: number;
  seconds: number;
  /** Whether there is something to send. */
  isBusy?: (ms: number) => boolean;
  /** By how much the other end is late to notice what came. */
  lateMs?: () => number;
}

export interface Sample {
  ms: number;
  estimateKbps: number;
  rateKbps: number;
  /** How long what is sent now waits before the link. */
  queueMs: number;
}

/** In turn: heads are short. */
const pieces = [150, 1448, 1448, 1448, 1448, 1448, 400];
/** As the other end acknowledges: after a time, or after many bytes, but not too soon after the last. */
const report = { afterMs: 200, afterBytes: 16_384, leastMs: 50 };
/** The clock of the other end is another one. */
const clockOffsetMs = 12_345;

/** What an estimator finds out about a link with a queue without end, ten times a second, in simulated time. */
export function simulateLink({ rateAt, oneWayMs, seconds, isBusy = () => true, lateMs = () => 0 }: Link): Sample[] {
  const estimator = new RateEstimator();
  estimator.guess({ roundTripMs: 2 * oneWayMs, connections: 4 });
  const pacer = new Pacer(estimator, 0.97);
  const onLink: { atMs: number; bytes: number }[] = [];
  const reports: { atMs: number; arrival: { bytes: number; atMs: number } }[] = [];
  const samples: Sample[] = [];
  let sentBytes = 0;
  let sentPieces = 0;
  let freeMs = 0;
  let arrived = { bytes: 0, atMs: 0 };
  let reported = { bytes: 0, atMs: 0 };
  let reportDueMs = Infinity;
  for (let ms = 0; ms < seconds * 1000; ms++) {
    for (; onLink[0] && onLink[0].atMs <= ms; onLink.shift()) {
      arrived = { bytes: onLink[0].bytes, atMs: Math.max(arrived.atMs, onLink[0].atMs + lateMs()) };
      const isMuch = arrived.bytes - reported.bytes >= report.afterBytes;
      reportDueMs = Math.min(reportDueMs, isMuch ? Math.max(ms, reported.atMs + report.leastMs) : ms + report.afterMs);
    }
    if (ms >= reportDueMs) {
      reports.push({ atMs: ms + oneWayMs, arrival: { ...arrived, atMs: arrived.atMs + clockOffsetMs } });
      reported = { bytes: arrived.bytes, atMs: ms };
      reportDueMs = Infinity;
    }
    for (; reports[0] && reports[0].atMs <= ms; reports.shift()) estimator.noteArrival(reports[0].arrival, ms);
    if (!isBusy(ms)) estimator.noteIdle();
    while (isBusy(ms) && pacer.waitMs(ms) < 0.5) {
      const pieceBytes = pieces[sentPieces++ % pieces.length]!;
      sentBytes += pieceBytes;
      estimator.noteSent({ bytes: sentBytes, atMs: ms });
      pacer.spend(pieceBytes, ms);
      freeMs = whenCarried(8 * countWireBytes(pieceBytes), Math.max(freeMs, ms), rateAt);
      onLink.push({ atMs: freeMs + oneWayMs, bytes: sentBytes });
    }
    if (ms % 100 === 0)
      samples.push({ ms, estimateKbps: estimator.kbps, rateKbps: rateAt(ms), queueMs: Math.max(0, freeMs - ms) });
  }
  return samples;
}

/** A link of a rate that is constant within a millisecond. */
function whenCarried(bits: number, fromMs: number, rateAt: (ms: number) => number): number {
  let left = bits;
  let ms = fromMs;
  while (left > 0) {
    const carried = Math.min(left, rateAt(ms));
    left -= carried;
    ms += carried / rateAt(ms);
  }
  return ms;
}
