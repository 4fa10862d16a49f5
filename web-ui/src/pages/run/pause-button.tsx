import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RunSummary } from '#core/protocol/api/run.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { runQuery } from '../../api/queries.ts';
import { pauseRun, resumeRun } from '../../api/run-requests.ts';

/** Pauses a Run between two Rounds, and resumes it. */
export function PauseButton({ run }: { run: Pick<RunSummary, 'id' | 'pausedAt'> }) {
  const queryClient = useQueryClient();
  const isPaused = run.pausedAt !== null;
  const changing = useMutation({
    mutationFn: () => (isPaused ? resumeRun(run.id) : pauseRun(run.id)),
    onSuccess: () => queryClient.invalidateQueries({ ...runQuery(run.id), exact: true }),
  });
  return (
    <NeedsRole role="evaluator">
      <Button variant={isPaused ? 'filled' : 'default'} loading={changing.isPending} onClick={() => changing.mutate()}>
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
    </NeedsRole>
  );
}
