import { useMutation, useQueryClient } from '@tanstack/react-query';
import { NeedsRole } from '../../access/needs-role.tsx';
import { runQuery } from '../../api/queries.ts';
import { stopRun } from '../../api/run-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';

export function StopButton({
  runId,
  isStopping,
  label = 'Stop',
}: {
  runId: string;
  isStopping: boolean;
  label?: string;
}) {
  const queryClient = useQueryClient();
  const stopping = useMutation({
    mutationFn: () => stopRun(runId),
    onSuccess: () => queryClient.invalidateQueries(runQuery(runId)),
  });
  return (
    <NeedsRole role="evaluator">
      <ConfirmButton
        variant="default"
        title="Stop this Run?"
        consequence="The current Round is discarded and tear-down scripts run. Completed Rounds stay and can be compared. A stopped Run cannot continue."
        loading={isStopping || stopping.isPending}
        onConfirm={() => stopping.mutate()}
      >
        {label}
      </ConfirmButton>
    </NeedsRole>
  );
}
