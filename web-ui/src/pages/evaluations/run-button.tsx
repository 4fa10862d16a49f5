import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { startRun } from '../../api/run-requests.ts';

interface RunButtonProps {
  evaluationId: string;
  evaluationName: string;
  isSmall?: boolean;
}

/** Starts a Run and goes to its page. */
export function RunButton({ evaluationId, evaluationName, isSmall = false }: RunButtonProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const starting = useMutation({
    mutationFn: () => startRun(evaluationId),
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
      <Button
        variant={isSmall ? 'outline' : 'filled'}
        size={isSmall ? 'compact-sm' : 'sm'}
        loading={starting.isPending}
        onClick={() => starting.mutate()}
        aria-label={`Run ${evaluationName}`}
      >
        Run
      </Button>
    </NeedsRole>
  );
}
