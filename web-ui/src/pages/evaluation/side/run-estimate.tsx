import { Text } from '@mantine/core';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { problemOf } from '../../../api/request.ts';
import { formatCount } from '../../../format/format-numbers.ts';
import { formatDuration } from '../../../format/format-times.ts';
import { useEstimate } from './use-estimate.ts';

/** How many Rounds, and how long, estimated from an earlier Run; without one, the least that it can take. */
export function RunEstimate({ evaluation }: { evaluation: Evaluation }) {
  const { data, error } = useEstimate(evaluation);
  const words = data ? describeEstimate(data) : error ? problemOf(error).message : ' ';
  return (
    <Text size="sm" c={data?.kind === 'estimated' ? 'inherit' : 'dimmed'}>
      {words}
    </Text>
  );
}

function describeEstimate(answer: EstimateAnswer): string {
  if (answer.kind === 'needs-pilot') {
    return `More than ${formatDuration(answer.leastDurationMs)} of pauses between Visits. Browser starts and page loads often take longer than that. A first Run of 3 Rounds shows how long.`;
  }
  const { rounds, durationMs, endsBy, slowest, basis } = answer;
  const ends = {
    fixed: '',
    target: ' until the means are exact enough',
    'max-rounds': ', the maximum',
    'time-budget': ', limited by time',
  }[endsBy];
  const slow = slowest
    ? ` Slowest to reach the target: ${slowest.scenario}, ${slowest.userAgent}, ${slowest.url}.`
    : '';
  const caveat = basis.isSameConfiguration ? '' : ' (the Evaluation has changed since)';
  return `About ${formatDuration(durationMs)} with ${formatCount(rounds, 'Round')} of each Scenario${ends}. Estimated from Run ${basis.runId}${caveat}.${slow}`;
}
