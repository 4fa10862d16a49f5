import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { roundLimits } from '#core/evaluation/rounds/repetition.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { formatCount } from '../../../format/format-count.ts';
import { formatDuration } from '../../../format/format-duration.ts';
import { countPlan } from '../count-plan.ts';

/** A Run in a few words: `72 Visits, more than 32 s`. Visits that fill caches are counted as its page counts them. Without an estimate, only its Visits. */
export function summarizePlan(evaluation: Evaluation, estimate: EstimateAnswer | undefined): string {
  const { minRounds, maxRounds } = roundLimits(evaluation.repetition);
  const { visits, cacheFillingVisits } = countPlan(evaluation);
  const count = formatCount(visits + cacheFillingVisits, 'Visit');
  const words = minRounds < maxRounds ? `at most ${count}` : count;
  return estimate ? `${words}, ${describeTime(estimate)}` : words;
}

function describeTime(estimate: EstimateAnswer): string {
  return estimate.kind === 'estimated'
    ? `about ${formatDuration(estimate.durationMs)}`
    : `more than ${formatDuration(estimate.leastDurationMs)}`;
}
