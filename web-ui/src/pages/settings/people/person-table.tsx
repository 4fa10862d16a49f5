import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RoleSchema } from '#core/access/role.ts';
import type { Person } from '#core/protocol/api/people.ts';
import { roleAbility } from '../../../access/roles.ts';
import { changeRole, removePerson } from '../../../api/people-requests.ts';
import { sessionQuery } from '../../../api/queries.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { RowConfirmButton } from '../../../components/confirm-button.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { PasswordLinkButton } from './password-link-button.tsx';

export function PersonTable({ people }: { people: Person[] }) {
  return <DataTable rows={people} columns={columns} rowKey={({ id }) => id} minWidthPx={820} />;
}

const columns: DataColumn<Person>[] = [
  { name: 'Name', isRowHeader: true, sortBy: ({ name }) => name, cell: ({ name }) => <PersonName name={name} /> },
  { name: 'Role', widthPx: 180, sortBy: ({ role }) => role, cell: (person) => <RoleSelect person={person} /> },
  {
    name: 'Joined',
    isNumeric: true,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <TimeAgo time={createdAt} />,
  },
  {
    name: 'Last seen',
    isNumeric: true,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) =>
      lastUsedAt ? <TimeAgo time={lastUsedAt} /> : <AbsentValue reason="Not signed in now." />,
  },
  {
    name: 'Actions',
    isActions: true,
    isNumeric: true,
    widthPx: 230,
    cell: (person) => (
      <>
        <PasswordLinkButton person={person} />
        <RemoveButton person={person} />
      </>
    ),
  },
];

function PersonName({ name }: Pick<Person, 'name'>) {
  return `${name}${useIsSelf(name) ? ' (you)' : ''}`;
}

function RoleSelect({ person: { id, name, role } }: { person: Person }) {
  const changing = useMutation({ mutationFn: changeRole, onSettled: useRefresh(name) });
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${name}`}
      title={roleAbility[role]}
      value={changing.isPending ? changing.variables.role : role}
      disabled={changing.isPending}
      data={[...RoleSchema.options]}
      onChange={(event) => changing.mutate({ id, role: RoleSchema.parse(event.currentTarget.value) })}
    />
  );
}

function RemoveButton({ person: { id, name } }: { person: Person }) {
  const removing = useMutation({ mutationFn: () => removePerson(id), onSettled: useRefresh(name) });
  return (
    <RowConfirmButton
      title={`Remove ${name}?`}
      consequence="The account and its sessions end, and its API tokens are revoked. Evaluations, Runs and Hosts stay."
      loading={removing.isPending}
      onConfirm={() => removing.mutate()}
      aria-label={`Remove ${name}`}
    >
      Remove
    </RowConfirmButton>
  );
}

function useIsSelf(name: string): boolean {
  return useQuery(sessionQuery).data?.evaluatorName === name;
}

/** After a change of this person. An own change may end what one may see here. */
function useRefresh(name: string): () => Promise<unknown> {
  const queryClient = useQueryClient();
  const isSelf = useIsSelf(name);
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['people'] }),
      ...(isSelf ? [queryClient.invalidateQueries(sessionQuery)] : []),
    ]);
}
