import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createToken } from '../../../api/token-requests.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { ProblemAlert } from '../../../components/problem-alert.tsx';

export function MakeTokenButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        Create a token
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Create a token for a program"
        size="lg"
        centered
        closeOnClickOutside={false}
      >
        <TokenForm onDone={close} />
      </Modal>
    </>
  );
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<'viewer' | 'evaluator'>('viewer');
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: createToken,
    meta: { showsProblem: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });

  if (making.data) {
    return (
      <Stack>
        <Text size="sm">
          The token of <strong>{making.data.name}</strong> is shown only once. Commands on other machines read it from
          the environment variable HTTP_AE_TOKEN.
        </Text>
        <CopyableCode code={making.data.token} />
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
        making.mutate({ scope: 'api', name: name.trim(), role });
      }}
    >
      <Stack>
        {making.error && <ProblemAlert title="No token was created" error={making.error} />}
        <TextInput
          label="Purpose"
          placeholder="nightly build"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={80}
          withAsterisk={false}
          data-autofocus
        />
        <Radio.Group
          label="Permissions"
          description="Never more than your own role allows."
          value={role}
          onChange={(value) => setRole(value === 'viewer' ? 'viewer' : 'evaluator')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="viewer" label="Read: Evaluations, Runs, Comparisons, exports" />
            <Radio value="evaluator" label="Also change and run Evaluations" />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button type="submit" loading={making.isPending} disabled={name.trim() === ''}>
            Create the token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
