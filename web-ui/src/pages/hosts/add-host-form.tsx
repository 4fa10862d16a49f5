import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { makeEnrolmentLink } from '#core/protocol/enrolment-link.ts';
import { createAgentToken } from '../../api/tokens.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { joinCommand } from './join-command.ts';

/** Names the host, makes a token for it, and shows, once, the command that uses it. */
export function AddHostForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: createAgentToken,
    meta: { showsProblem: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });

  if (making.data) {
    const { token, name: host } = making.data;
    const command = joinCommand({ controller: window.location.origin, token, name: host });
    const link = makeEnrolmentLink({ controllerUrl: window.location.origin, token, name: host });
    return (
      <Stack>
        <Text size="sm">
          Run this in a copy of HTTP-AE on <strong>{making.data.name}</strong>. The token is shown only now; the host appears in the list when it connects.
        </Text>
        <CopyableCode code={command} />
        <Text size="sm" c="dimmed">
          Append <code>--allow-scripts</code> if Scenarios may run set-up and tear-down scripts there.
        </Text>
        <Text size="sm">Or, for the browser extension, paste this link into its options:</Text>
        <CopyableCode code={link} />
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    );
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        making.mutate(name.trim());
      }}
    >
      <Stack>
        {making.error && <ProblemAlert title="No token was made" error={making.error} />}
        <TextInput
          label="Name of the host"
          description="User Agents name it in their “host”."
          placeholder="lab-1"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={80}
          withAsterisk={false}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={making.isPending} disabled={name.trim() === ''}>
            Make a token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
