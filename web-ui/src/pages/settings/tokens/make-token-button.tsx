import { Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createToken } from '../../../api/token-requests.ts';
import { useRefresh } from '../../../api/use-refresh.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { DialogButtons, DialogForm, FormDialog } from '../../../components/form-dialog.tsx';

export function MakeTokenButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        Create a token
      </Button>
      <FormDialog title="Create a token for a program" isOpen={isOpen} onClose={close}>
        <TokenForm onDone={close} />
      </FormDialog>
    </>
  );
}

function TokenForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<'viewer' | 'evaluator'>('viewer');
  const making = useMutation({
    mutationFn: createToken,
    meta: { showsProblem: true },
    onSuccess: useRefresh(['tokens']),
  });

  if (making.data) {
    return (
      <Stack>
        <Text size="sm">
          The token of <strong>{making.data.name}</strong> is shown only once. Commands on other machines read it from
          the environment variable HTTP_AE_TOKEN.
        </Text>
        <CopyableCode code={making.data.token} />
        <DialogButtons>
          <Button onClick={onDone}>Done</Button>
        </DialogButtons>
      </Stack>
    );
  }
  return (
    <DialogForm
      onSubmit={() => making.mutate({ scope: 'api', name: name.trim(), role })}
      submitLabel="Create the token"
      isComplete={name.trim() !== ''}
      isPending={making.isPending}
      error={making.error}
      errorTitle="No token was created"
    >
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
    </DialogForm>
  );
}
