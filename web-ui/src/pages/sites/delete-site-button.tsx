import { useMutation, useQueryClient } from '@tanstack/react-query';
import { NeedsRole } from '../../access/needs-role.tsx';
import { deleteSite } from '../../api/site-requests.ts';
import { ConfirmButton, RowConfirmButton } from '../../components/confirm-button.tsx';

interface DeleteSiteButtonProps {
  site: { id: string; name: string };
  isInRow?: boolean;
  onDeleted?: () => void;
}

export function DeleteSiteButton({ site: { id, name }, isInRow = false, onDeleted }: DeleteSiteButtonProps) {
  const queryClient = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteSite(id),
    onSuccess: async () => {
      onDeleted?.();
      queryClient.removeQueries({ queryKey: ['sites', id] });
      await queryClient.invalidateQueries({ queryKey: ['sites'], exact: true });
    },
  });
  const Button = isInRow ? RowConfirmButton : ConfirmButton;
  return (
    <NeedsRole role="evaluator">
      <Button
        title={`Delete the Site “${name}”?`}
        consequence="This deletes the recording and its file. Evaluations that load it can no longer run. Results stay, but their Visits are no longer compared with the recording. Download the file first to keep it."
        loading={deleting.isPending}
        onConfirm={() => deleting.mutate()}
        aria-label={`Delete ${name}`}
      >
        Delete
      </Button>
    </NeedsRole>
  );
}
