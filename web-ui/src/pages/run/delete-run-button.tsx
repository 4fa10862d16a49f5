import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { deleteRun } from '../../api/deletion-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { LostData } from '../../components/run/lost-data.tsx';

/** Deletes an ended Run for good. */
export function DeleteRunButton({ runId }: { runId: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteRun(runId),
    onSuccess: async () => {
      notifications.show({ title: 'Deleted', message: `Run ${runId} was deleted.` });
      await navigate('/runs');
      queryClient.removeQueries({ queryKey: ['runs', runId] });
      await queryClient.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  return (
    <NeedsRole role="evaluator">
      <ConfirmButton
        color="gray"
        c="dimmed"
        fw={400}
        title={`Delete Run ${runId}?`}
        consequence={<LostData what="runs" id={runId} />}
        loading={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        Delete
      </ConfirmButton>
    </NeedsRole>
  );
}
