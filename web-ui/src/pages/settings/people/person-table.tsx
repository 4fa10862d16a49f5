import { NativeSelect, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RoleSchema } from '#core/protocol/role.ts';
import type { Person } from '#core/protocol/api/people.ts';
import { roleAbility } from '../../../access/use-role.ts';
import { changeRole, removePerson, makePasswordLink } from '../../../api/people-requests.ts';
import { sessionQuery } from '../../../api/queries.ts';
import { useRefresh } from '../../../api/use-refresh.ts';
import { RowConfirmButton } from '../../../components/confirm-button.tsx';
import { DataTable, type DataColumn } from '../../../components/data-table.tsx';
import { timeColumn } from '../../../components/time-ago.tsx';
import { useDisclosure } from '@mantine/hooks';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { DialogButtons, FormDialog } from '../../../components/form-dialog.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';
import { formatTime } from '../../../format/format-times.ts';
import { passwordLink } from './one-time-link.ts';

export function PersonTable({ people }: { people: Person[] }) {
  return <DataTable rows={people} columns={columns} rowKey={({ id }) => id} minWidthPx={820} />;
}

const columns: DataColumn<Person>[] = [
  { name: 'Name', isRowHeader: true, sortBy: ({ name }) => name, cell: ({ name }) => <PersonName name={name} /> },
  { name: 'Role', widthPx: 180, sortBy: ({ role }) => role, cell: (person) => <RoleSelect person={person} /> },
  timeColumn('Joined', ({ createdAt }) => createdAt),
  timeColumn('Last seen', ({ lastUsedAt }) => lastUsedAt, 'Not signed in now.'),
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
  const changing = useMutation({ mutationFn: changeRole, onSettled: usePersonRefresh(name) });
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
  const removing = useMutation({ mutationFn: () => removePerson(id), onSettled: usePersonRefresh(name) });
  return (
    <RowConfirmButton
      title={`Remove ${name}?`}
      consequence="The account and its sessions end, and its API tokens are revoked. Evaluations, Runs and hosts stay."
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
function usePersonRefresh(name: string): () => Promise<unknown> {
  const isSelf = useIsSelf(name);
  return useRefresh(['people'], ...(isSelf ? [sessionQuery.queryKey] : []));
}

/** For a person who forgot the password: the link is made when the button is pressed, and shown once. */
function PasswordLinkButton({ person: { id, name } }: { person: Person }) {
  const publicUrl = useQuery(sessionQuery).data?.publicUrl;
  const [isOpen, { open, close }] = useDisclosure(false);
  const making = useMutation({
    mutationFn: makePasswordLink,
    meta: { showsProblem: true },
    onSuccess: useRefresh(['people']),
    onSettled: open,
  });
  const { data: link, error } = making;
  return (
    <>
      <Button
        size="compact-sm"
        fw={400}
        variant="subtle"
        color="gray"
        c="dimmed"
        loading={making.isPending}
        onClick={() => making.mutate(id)}
        aria-label={`New password for ${name}`}
      >
        New password
      </Button>
      <FormDialog title={`A new password for ${name}`} isOpen={isOpen} onClose={close} onClosed={making.reset}>
        <Stack>
          {error && <ProblemAlert title="No link was created" error={error} />}
          {link && (
            <>
              <Text size="sm">
                Give this link to {name}. It works once, until {formatTime(link.expiresAt)}, and is shown only now. The
                person who opens it chooses a new password. Then all sessions of {name} end. Until then the old password
                works.
              </Text>
              <CopyableCode code={passwordLink(publicUrl ?? window.location.origin, { ticket: link.ticket, name })} />
            </>
          )}
          <DialogButtons>
            <Button onClick={close}>Done</Button>
          </DialogButtons>
        </Stack>
      </FormDialog>
    </>
  );
}
