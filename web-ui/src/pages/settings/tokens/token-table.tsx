import { Table } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TokenSummary } from '#core/protocol/api/access.ts';
import { revokeToken } from '../../../api/token-requests.ts';
import { ActionsHeader } from '../../../components/actions-header.tsx';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';

export function TokenTable({ tokens }: { tokens: TokenSummary[] }) {
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Permissions</Table.Th>
            <Table.Th>Created by</Table.Th>
            <Table.Th className="numeric">Created</Table.Th>
            <Table.Th className="numeric">Last used</Table.Th>
            <ActionsHeader widthPx={110} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Th scope="row">{token.name}</Table.Th>
              <Table.Td>{describeAbility(token)}</Table.Td>
              <Table.Td>
                {token.madeBy ?? (
                  <AbsentValue reason="Created by the Controller for commands on its own machine, or before creators were recorded." />
                )}
              </Table.Td>
              <Table.Td className="numeric">
                <TimeAgo time={token.createdAt} />
              </Table.Td>
              <Table.Td className="numeric">
                {token.lastUsedAt ? <TimeAgo time={token.lastUsedAt} /> : <AbsentValue reason="Not used yet." />}
              </Table.Td>
              <Table.Td className="numeric">
                <RevokeButton token={token} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function describeAbility({ role, agentName }: TokenSummary): string {
  if (role !== null) return role === 'viewer' ? 'read' : 'read, change and run';
  return agentName === null ? 'join under any name' : `join as ${agentName}`;
}

function RevokeButton({ token }: { token: TokenSummary }) {
  const queryClient = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });
  return (
    <ConfirmButton
      size="compact-sm"
      fw={400}
      c="dimmed"
      color="gray"
      title={`Revoke the token “${token.name}”?`}
      consequence={
        token.scope === 'agent'
          ? 'The Agent that uses it is disconnected at once, even during a Run.'
          : 'Programs that use it are rejected from now on.'
      }
      loading={revoking.isPending}
      onConfirm={() => revoking.mutate()}
      aria-label={`Revoke ${token.name}`}
    >
      Revoke
    </ConfirmButton>
  );
}
