import { Table } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Invitation } from '#core/protocol/api/people.ts';
import { withdrawInvitation } from '../../../api/people-requests.ts';
import { ActionsHeader } from '../../../components/actions-header.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { formatTime } from '../../../format/format-time.ts';

export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Created by</Table.Th>
            <Table.Th>For</Table.Th>
            <Table.Th className="numeric">Valid until</Table.Th>
            <ActionsHeader widthPx={110} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function InvitationRow({ invitation: { id, role, person, madeBy, expiresAt } }: { invitation: Invitation }) {
  const queryClient = useQueryClient();
  const withdrawing = useMutation({
    mutationFn: () => withdrawInvitation(id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['people'] }),
  });
  return (
    <Table.Tr>
      <Table.Th scope="row">{madeBy ?? 'The Controller, at start'}</Table.Th>
      <Table.Td>{person === null ? `a new ${role}` : `a new password for ${person}`}</Table.Td>
      <Table.Td className="numeric">{formatTime(expiresAt)}</Table.Td>
      <Table.Td className="numeric">
        <ConfirmButton
          size="compact-sm"
          fw={400}
          c="dimmed"
          color="gray"
          title="Withdraw this link?"
          consequence="It stops working at once."
          loading={withdrawing.isPending}
          onConfirm={() => withdrawing.mutate()}
          aria-label={`Withdraw the link for ${person === null ? `a new ${role}` : `a new password for ${person}`}`}
        >
          Withdraw
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}
