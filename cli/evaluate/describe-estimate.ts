import { catalogue } from '#core/metrics/catalogue.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { formatRoughDuration } from '../format-rough-duration.ts';
import { showPlainly } from '../show-plainly.ts';

const endings = {
  fixed: 'as many as the Evaluation says',
  target: 'until the target is reached',
  'max-rounds': 'the most that the Evaluation allows: not every mean reaches its target',
  'time-budget': 'as many as the time budget allows: not every mean reaches its target',
} as const;

/** Rounds and time of a Run before it begins, for people. */
export function describeEstimate(estimate: EstimateAnswer): string {
  if (estimate.kind === 'needs-pilot') {
    const { reason, leastDurationMs } = estimate;
    return `${showPlainly(reason)}.\nIt takes at least about ${formatRoughDuration(leastDurationMs)} for the pauses before and after Visits alone.`;
  }
  const { rounds, durationMs, endsBy, slowest, unknownCells, basis } = estimate;
  const lines = [
    `About ${rounds} Rounds of each Scenario (${endings[endsBy]}) in about ${formatRoughDuration(durationMs)}.`,
    slowest &&
      `${catalogue[slowest.metric].label} of ${slowest.url} by ${slowest.userAgent} in ${slowest.scenario} needs the most: ${slowest.rounds} Rounds.`,
    unknownCells > 0 && `The spread of ${unknownCells} means is unknown.`,
    `Based on Run ${basis.runId} with ${basis.blocks} Blocks${basis.isSameConfiguration ? '' : '. The Evaluation has changed since that Run: this is a rough guess'}.`,
  ];
  return lines
    .filter((line) => typeof line === 'string')
    .map(showPlainly)
    .join('\n');
}
