import { useMutation } from '@tanstack/react-query';
import type { TokenSummary } from '#core/protocol/api/access.ts';
import { revokeToken } from '../../../api/token-requests.ts';
import { useRefresh } from '../../../api/use-refresh.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { RowConfirmButton } from '../../../components/confirm-button.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { timeColumn } from '../../../components/time-ago.tsx';

export function TokenTable({ tokens }: { tokens: TokenSummary[] }) {
  return <DataTable rows={tokens} columns={columns} rowKey={({ id }) => id} minWidthPx={720} inParts />;
}

const columns: DataColumn<TokenSummary>[] = [
  { name: 'Name', isRowHeader: true, sortBy: ({ name }) => name, cell: ({ name }) => name },
  { name: 'Permissions', sortBy: describeAbility, cell: describeAbility },
  {
    name: 'Created by',
    sortBy: ({ madeBy }) => madeBy,
    cell: ({ madeBy }) =>
      madeBy ?? (
        <AbsentValue reason="Created by the Controller for commands on its own machine, or before creators were recorded." />
      ),
  },
  timeColumn('Created', ({ createdAt }) => createdAt),
  timeColumn('Last used', ({ lastUsedAt }) => lastUsedAt, 'Not used yet.'),
  { name: 'Actions', isActions: true, isNumeric: true, widthPx: 110, cell: (token) => <RevokeButton token={token} /> },
];

function describeAbility({ role, agentName }: TokenSummary): string {
  if (role !== null) return role === 'viewer' ? 'read' : 'read, change and run';
  return agentName === null ? 'join under any name' : `join as ${agentName}`;
}

function RevokeButton({ token }: { token: TokenSummary }) {
  const revoking = useMutation({ mutationFn: () => revokeToken(token.id), onSettled: useRefresh(['tokens']) });
  return (
    <RowConfirmButton
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
    </RowConfirmButton>
  );
}
