import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { fetchEstimate } from '../../../api/evaluation-requests.ts';

const typingPauseMs = 600;

/** How long a Run would take, once typing pauses; requested once, however many places show it. */
export function useEstimate({
  evaluation,
  evaluationId,
}: {
  evaluation: Evaluation;
  evaluationId: string | null;
}): UseQueryResult<EstimateAnswer> {
  const [settled] = useDebouncedValue(evaluation, typingPauseMs);
  return useQuery({
    queryKey: ['estimates', evaluationId, settled],
    queryFn: ({ signal }) => fetchEstimate({ evaluation: settled, changes: evaluationId }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
