import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { deleteEvaluationWithRuns } from '../../api/deletion-requests.ts';
import { RowConfirmButton } from '../../components/confirm-button.tsx';
import { LostData } from '../../components/run/lost-data.tsx';

/** Deletes an Evaluation and all of its Runs for good. */
export function DeleteWithRunsButton({ evaluation: { id, name } }: { evaluation: { id: string; name: string } }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteEvaluationWithRuns(id),
    onSuccess: async () => {
      notifications.show({ title: 'Deleted', message: `“${name}” was deleted with its Runs.` });
      await navigate('/');
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true }),
        queryClient.invalidateQueries({ queryKey: ['runs'] }),
      ]);
    },
  });
  return (
    <NeedsRole role="evaluator">
      <RowConfirmButton
        title={`Delete ${name} with its Runs?`}
        consequence={<LostData what="evaluations" id={id} />}
        loading={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        Delete with Runs
      </RowConfirmButton>
    </NeedsRole>
  );
}
