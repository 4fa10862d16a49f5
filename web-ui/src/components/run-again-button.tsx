import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { NeedsRole } from '../access/needs-role.tsx';
import { repeatRun } from '../api/run-requests.ts';

/** Starts a Run of the same configuration, and goes to its page. */
export function RunAgainButton({ runId }: { runId: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const starting = useMutation({
    mutationFn: () => repeatRun(runId),
    onSuccess: async (run) => {
      await navigate(`/runs/${run.id}`);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['runs'], exact: true }),
        queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true }),
      ]);
    },
  });
  return (
    <NeedsRole role="evaluator">
      <Button variant="default" loading={starting.isPending} onClick={() => starting.mutate()}>
        Run again
      </Button>
    </NeedsRole>
  );
}
