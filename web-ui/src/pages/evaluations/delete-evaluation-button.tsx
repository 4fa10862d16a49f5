import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { NeedsRole } from '../../access/needs-role.tsx';
import { deleteEvaluation, restoreEvaluation } from '../../api/evaluation-list-requests.ts';
import { problemOf } from '../../api/request.ts';

interface DeleteEvaluationButtonProps {
  evaluation: { id: string; name: string };
  onDeleted?: () => void;
  /** That of a row unless given. */
  size?: 'sm' | 'compact-sm';
}

const undoMs = 20_000;

/** Deletes at once, and offers to take it back: nothing of it is lost, and its Runs stay in any case. */
export function DeleteEvaluationButton({ evaluation, onDeleted, size = 'compact-sm' }: DeleteEvaluationButtonProps) {
  const { id, name } = evaluation;
  const queryClient = useQueryClient();
  const showList = () => queryClient.invalidateQueries({ queryKey: ['evaluations'] });
  const undo = async () => {
    notifications.hide(`deleted-${id}`);
    try {
      await restoreEvaluation(id);
      await showList();
    } catch (error) {
      notifications.show({ color: 'red', title: 'Not restored', message: problemOf(error).message });
    }
  };
  const deleting = useMutation({
    mutationFn: () => deleteEvaluation(id),
    onSuccess: async () => {
      onDeleted?.();
      notifications.show({
        id: `deleted-${id}`,
        title: 'Deleted',
        autoClose: undoMs,
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">“{name}” was deleted. Its Runs stay.</Text>
            <Button
              size="compact-sm"
              variant="default"
              flex="none"
              onClick={() => void undo()}
              aria-label={`Undo: restore ${name}`}
            >
              Undo
            </Button>
          </Group>
        ),
      });
      await queryClient.invalidateQueries({ queryKey: ['evaluations'], exact: true });
    },
  });
  return (
    <NeedsRole role="evaluator">
      <Button
        size={size}
        fw={400}
        c="dimmed"
        color="gray"
        variant="subtle"
        loading={deleting.isPending}
        onClick={() => deleting.mutate()}
        aria-label={`Delete ${name}`}
      >
        Delete
      </Button>
    </NeedsRole>
  );
}
