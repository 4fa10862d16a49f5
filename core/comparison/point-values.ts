import type { PointCounts, PointTraffic } from '../record/point-traffic.ts';
import type { PointFigure } from './point-comparison.ts';

/** The value of each Block that has one, or why there is none. */
export type PointValues = { kind: 'known'; byBlock: Map<number, number> } | { kind: 'absent'; reason: string };

/**
 * A figure at one Capture Point in one Scenario. Requests are judged over all its Rounds, not Round by Round: without a plain request in any of them,
 * encrypted traffic in one leaves open how many there were. With one, a Round without counts as 0.
 */
export function readPointValues(rounds: readonly PointTraffic[], figure: PointFigure): PointValues {
  const counted = listCounts(rounds);
  if (counted.length === 0) return { kind: 'absent', reason: findAbsence(rounds) ?? 'No Round of it counts.' };
  const byBlock = new Map(
    counted.flatMap(({ block, counts }) => {
      const value = readCount(counts, figure);
      return value === null ? [] : [[block, value] as const];
    }),
  );
  if (byBlock.size === 0) return { kind: 'absent', reason: explainNoCount(counted.map(({ counts }) => counts)) };
  const isUnseen =
    figure === 'httpRequests' &&
    [...byBlock.values()].every((requests) => requests === 0) &&
    counted.some(({ counts }) => counts.hasEncryption);
  return isUnseen
    ? { kind: 'absent', reason: 'The traffic was encrypted (TLS or QUIC), so its requests cannot be seen.' }
    : { kind: 'known', byBlock };
}

function readCount(counts: PointCounts, figure: PointFigure): number | null {
  return figure === 'packets' || figure === 'bytes' ? counts[figure] : (counts.tcp?.[figure] ?? null);
}

function explainNoCount(counted: readonly PointCounts[]): string {
  return counted.every(({ tcp }) => tcp === null)
    ? 'The packets of this interface cannot be decoded.'
    : 'Its Agent is older than the count of HTTP requests.';
}

/** Of those Rounds that were captured to their end. */
export function listCounts(rounds: readonly PointTraffic[]): { block: number; counts: PointCounts }[] {
  return rounds.flatMap(({ block, captured }) =>
    captured.kind === 'counted' ? [{ block, counts: captured.counts }] : [],
  );
}

/** Why the first of those that were not was not; null where all were. */
export function findAbsence(rounds: readonly PointTraffic[]): string | null {
  return rounds.flatMap(({ captured }) => (captured.kind === 'absent' ? [captured.reason] : []))[0] ?? null;
}
