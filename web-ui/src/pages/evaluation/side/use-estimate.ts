import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
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
