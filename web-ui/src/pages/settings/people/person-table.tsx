import { NativeSelect, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RoleSchema } from '#core/access/role.ts';
import type { Person } from '#core/protocol/api/people.ts';
import { roleAbility } from '../../../access/roles.ts';
import { changeRole, removePerson } from '../../../api/people-requests.ts';
import { sessionQuery } from '../../../api/queries.ts';
import { ActionsHeader } from '../../../components/actions-header.tsx';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { PasswordLinkButton } from './password-link-button.tsx';

export function PersonTable({ people }: { people: Person[] }) {
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={180}>Role</Table.Th>
            <Table.Th className="numeric">Joined</Table.Th>
            <Table.Th className="numeric">Last seen</Table.Th>
            <ActionsHeader widthPx={230} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <PersonRow key={person.id} person={person} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function PersonRow({ person }: { person: Person }) {
  const { id, name, role, createdAt, lastUsedAt } = person;
  const queryClient = useQueryClient();
  const isSelf = useQuery(sessionQuery).data?.evaluatorName === name;
  // An own change may end what one may see here.
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['people'] }),
      ...(isSelf ? [queryClient.invalidateQueries(sessionQuery)] : []),
    ]);
  const changing = useMutation({ mutationFn: changeRole, onSettled: refresh });
  const removing = useMutation({ mutationFn: () => removePerson(id), onSettled: refresh });
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {name}
        {isSelf && ' (you)'}
      </Table.Th>
      <Table.Td>
        <NativeSelect
          size="xs"
          aria-label={`Role of ${name}`}
          title={roleAbility[role]}
          value={changing.isPending ? changing.variables.role : role}
          disabled={changing.isPending}
          data={[...RoleSchema.options]}
          onChange={(event) => changing.mutate({ id, role: RoleSchema.parse(event.currentTarget.value) })}
        />
      </Table.Td>
      <Table.Td className="numeric">
        <TimeAgo time={createdAt} />
      </Table.Td>
      <Table.Td className="numeric">
        {lastUsedAt ? <TimeAgo time={lastUsedAt} /> : <AbsentValue reason="Not signed in now." />}
      </Table.Td>
      <Table.Td className="numeric">
        <PasswordLinkButton person={person} />
        <ConfirmButton
          size="compact-sm"
          fw={400}
          c="dimmed"
          color="gray"
          title={`Remove ${name}?`}
          consequence="The account and its sessions end, and its API tokens are revoked. Evaluations, Runs and Hosts stay."
          loading={removing.isPending}
          onConfirm={() => removing.mutate()}
          aria-label={`Remove ${name}`}
        >
          Remove
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}
