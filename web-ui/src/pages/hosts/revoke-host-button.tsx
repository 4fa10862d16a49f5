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
    tokenSharedWith === 0
      ? ''
      : ` ${tokenSharedWith === 1 ? 'Another host has the same token and is' : `${tokenSharedWith} other hosts have the same token and are`} disconnected too.`;
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
