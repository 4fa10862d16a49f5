import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';

/** Starts a Run by this request, goes to its page, and has the lists read again. */
export function useStartRun(request: () => Promise<RunSummary>): UseMutationResult<RunSummary, Error, void> {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: request,
    onSuccess: async (run) => {
      await navigate(`/runs/${run.id}`);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['runs'], exact: true }),
        queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true }),
      ]);
    },
  });
}
