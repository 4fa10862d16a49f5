import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Invitation } from '#core/protocol/api/people.ts';
import { withdrawInvitation } from '../../../api/people-requests.ts';
import { RowConfirmButton } from '../../../components/confirm-button.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { formatTime } from '../../../format/format-time.ts';

export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  return <DataTable rows={invitations} columns={columns} rowKey={({ id }) => id} minWidthPx={560} />;
}

const creatorOf = ({ madeBy }: Invitation) => madeBy ?? 'The Controller, at start';
const purposeOf = ({ role, person }: Invitation) =>
  person === null ? `a new ${role}` : `a new password for ${person}`;

const columns: DataColumn<Invitation>[] = [
  { name: 'Created by', isRowHeader: true, sortBy: creatorOf, cell: creatorOf },
  { name: 'For', sortBy: purposeOf, cell: purposeOf },
  {
    name: 'Valid until',
    isNumeric: true,
    sortBy: ({ expiresAt }) => expiresAt,
    cell: ({ expiresAt }) => formatTime(expiresAt),
  },
  {
    name: 'Actions',
    isActions: true,
    isNumeric: true,
    widthPx: 110,
    cell: (invitation) => <WithdrawButton invitation={invitation} />,
  },
];

function WithdrawButton({ invitation }: { invitation: Invitation }) {
  const queryClient = useQueryClient();
  const withdrawing = useMutation({
    mutationFn: () => withdrawInvitation(invitation.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['people'] }),
  });
  return (
    <RowConfirmButton
      title="Withdraw this link?"
      consequence="It stops working at once."
      loading={withdrawing.isPending}
      onConfirm={() => withdrawing.mutate()}
      aria-label={`Withdraw the link for ${purposeOf(invitation)}`}
    >
      Withdraw
    </RowConfirmButton>
  );
}
