import { catalogue } from '#core/metrics/catalogue.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate.ts';
import { formatRoughDuration } from '../format-rough-duration.ts';
import { showPlainly } from '../show-plainly.ts';

const endings = {
  fixed: 'as many as the Evaluation says',
  target: 'until the target is reached',
  'max-rounds': 'the most that the Evaluation allows: not every mean will be as exact as its target',
  'time-budget': 'as many as the time budget allows: not every mean will be as exact as its target',
} as const;

/** Rounds and time of a Run before it begins, for people. */
export function describeEstimate(estimate: EstimateAnswer): string {
  if (estimate.kind === 'needs-pilot') {
    const { reason, leastDurationMs } = estimate;
    return `${showPlainly(reason)}.\nIt takes at least about ${formatRoughDuration(leastDurationMs)}: the rests before Visits and the quiet after them alone.`;
  }
  const { rounds, durationMs, endsBy, slowest, unknownCells, basis } = estimate;
  const lines = [
    `About ${rounds} Rounds of each Scenario (${endings[endsBy]}) in about ${formatRoughDuration(durationMs)}.`,
    slowest && `${catalogue[slowest.metric].label} of ${slowest.url} by ${slowest.userAgent} in ${slowest.scenario} takes the most: ${slowest.rounds} Rounds.`,
    unknownCells > 0 && `Of ${unknownCells} means the spread is not known.`,
    `By Run ${basis.runId}, of ${basis.blocks} Blocks${basis.isSameConfiguration ? '' : ', which measured something else than this Evaluation says now: take it for a rough guess'}.`,
  ];
  return lines.filter((line) => typeof line === 'string').map(showPlainly).join('\n');
}
