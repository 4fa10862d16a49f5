import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { revokeAgent } from '../../api/agent-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';

export function RevokeHostButton({ agent: { name, tokenSharedWith } }: { agent: AgentSummary }) {
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeAgent(name),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['agents'] }),
        queryClient.invalidateQueries({ queryKey: ['tokens'] }),
      ]),
  });
  const others =
    tokenSharedWith.length === 0
      ? ''
      : ` Others with the same token are disconnected too: ${tokenSharedWith.join(', ')}.`;
  return (
    <NeedsRole role="evaluator">
      <ConfirmButton
        size="compact-sm"
        fw={400}
        c="dimmed"
        color="gray"
        title={`Revoke the host “${name}”?`}
        consequence={`This revokes its token and disconnects its Agent at once, even during a Run.${others} Its measurements stay. To use it again, add it again.`}
        loading={revoking.isPending}
        onConfirm={() => revoking.mutate()}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </ConfirmButton>
    </NeedsRole>
  );
}
