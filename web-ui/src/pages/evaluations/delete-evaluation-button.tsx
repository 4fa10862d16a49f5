import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteEvaluation } from '../../api/evaluations.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';

interface DeleteEvaluationButtonProps {
  evaluation: { id: string; name: string };
  onDeleted?: () => void;
}

export function DeleteEvaluationButton({ evaluation, onDeleted }: DeleteEvaluationButtonProps) {
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteEvaluation(evaluation.id),
    onSuccess: async () => {
      onDeleted?.();
      await queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true });
    },
  });
  return (
    <ConfirmButton
      size="compact-sm"
      fw={400}
      c="dimmed"
      color="gray"
      title={`Delete “${evaluation.name}”?`}
      consequence="It leaves the list and cannot be run again. Its Runs and their Comparisons stay."
      loading={deleting.isPending}
      onConfirm={() => deleting.mutate()}
      aria-label={`Delete ${evaluation.name}`}
    >
      Delete
    </ConfirmButton>
  );
}
