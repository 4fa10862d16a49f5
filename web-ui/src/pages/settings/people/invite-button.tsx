import { Button, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RoleSchema, type Role } from '#core/protocol/role.ts';
import { roleAbility } from '../../../access/use-role.ts';
import { invitePerson } from '../../../api/people-requests.ts';
import { sessionQuery } from '../../../api/queries.ts';
import { useRefresh } from '../../../api/use-refresh.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { DialogButtons, DialogForm, FormDialog } from '../../../components/form-dialog.tsx';
import { formatTime } from '../../../format/format-times.ts';
import { inviteLink } from './one-time-link.ts';

export function InviteButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open}>Invite a person</Button>
      <FormDialog title="Invite a person" isOpen={isOpen} onClose={close}>
        <InviteForm onDone={close} />
      </FormDialog>
    </>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const [role, setRole] = useState<Role>('evaluator');
  const publicUrl = useQuery(sessionQuery).data?.publicUrl;
  const inviting = useMutation({
    mutationFn: invitePerson,
    meta: { showsProblem: true },
    onSuccess: useRefresh(['people']),
  });

  if (inviting.data) {
    return (
      <Stack>
        <Text size="sm">
          Give this link to one person. It works once, until {formatTime(inviting.data.expiresAt)}, and is shown only
          now. The person who opens it chooses a name and a password, and becomes {inviting.data.role}.
        </Text>
        <CopyableCode code={inviteLink(publicUrl ?? window.location.origin, inviting.data.ticket)} />
        <DialogButtons>
          <Button onClick={onDone}>Done</Button>
        </DialogButtons>
      </Stack>
    );
  }
  return (
    <DialogForm
      onSubmit={() => inviting.mutate(role)}
      submitLabel="Create a one-time link"
      isPending={inviting.isPending}
      error={inviting.error}
      errorTitle="No link was created"
    >
      <Radio.Group label="Role" value={role} onChange={(value) => setRole(RoleSchema.parse(value))}>
        <Stack gap="sm" mt="xs">
          {RoleSchema.options.map((option) => (
            <Radio key={option} value={option} label={option} description={roleAbility[option]} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
