import type { PointCounts, PointTraffic } from '../../record/point-traffic.ts';
import { listCounts, readValues, type CountedRound } from '../counted/counted-rounds.ts';
import type { ValuesByBlock } from '../counted/counted-value.ts';
import type { PointFigure } from './point-comparison.ts';

/**
 * A figure at one Capture Point in one Scenario. Requests are judged over all its Rounds, not Round by Round: without a plain request in any of them,
 * encrypted traffic in one leaves open how many there were. With one, a Round without counts as 0.
 */
export function readPointValues(traffic: readonly PointTraffic[], figure: PointFigure): ValuesByBlock {
  const rounds = listCaptured(traffic);
  const values = readValues(rounds, { read: (counts) => readCount(counts, figure), explain: explainNoCount });
  const isUnseen =
    figure === 'httpRequests' &&
    values.kind === 'known' &&
    [...values.byBlock.values()].every((requests) => requests === 0) &&
    listCounts(rounds).some(({ counts }) => counts.hasEncryption);
  return isUnseen
    ? { kind: 'absent', reason: 'The traffic was encrypted (TLS or QUIC), so its requests cannot be seen.' }
    : values;
}

export function listCaptured(traffic: readonly PointTraffic[]): CountedRound<PointCounts>[] {
  return traffic.map(({ block, captured }) => ({ block, counted: captured }));
}

function readCount(counts: PointCounts, figure: PointFigure): number | null {
  return figure === 'packets' || figure === 'bytes' ? counts[figure] : (counts.tcp?.[figure] ?? null);
}

function explainNoCount(counted: readonly PointCounts[]): string {
  return counted.every(({ tcp }) => tcp === null)
    ? 'The packets of this interface cannot be decoded.'
    : 'Its Agent is older than the count of HTTP requests.';
}
