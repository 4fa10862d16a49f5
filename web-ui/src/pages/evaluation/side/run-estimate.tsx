import { Text } from '@mantine/core';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { problemOf } from '../../../api/request.ts';
import { formatCount } from '../../../format/format-numbers.ts';
import { formatDuration } from '../../../format/format-times.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEditor } from '../editor/editor-context.ts';
import { fetchEstimate } from '../../../api/evaluation-requests.ts';

const typingPauseMs = 600;

/** How long a Run would take, once typing pauses; requested once, however many places show it. */
export function useEstimate(evaluation: Evaluation): UseQueryResult<EstimateAnswer> {
  const { evaluationId, changedFromRun } = useEditor();
  const [settled] = useDebouncedValue(evaluation, typingPauseMs);
  const changes = { evaluation: evaluationId, run: changedFromRun };
  return useQuery({
    queryKey: ['estimates', changes, settled],
    queryFn: ({ signal }) => fetchEstimate({ evaluation: settled, changes }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

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
