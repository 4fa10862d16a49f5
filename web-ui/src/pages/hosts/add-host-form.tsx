import { Button, Checkbox, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createToken } from '../../api/tokens.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { EnrolmentInstructions } from './enrolment-instructions.tsx';

const kinds = [
  { value: 'machine', label: 'A machine, by a command' },
  { value: 'browser', label: 'A browser, by the extension' },
] as const;

/** Names the host, makes a token that only an Agent of this name can use, and shows, once, what uses it. */
export function AddHostForm({ name: wantedName, onDone }: { name: string; onDone: () => void }) {
  const [name, setName] = useState(wantedName);
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('machine');
  const [allowsScripts, setAllowsScripts] = useState(false);
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: createToken,
    meta: { showsProblem: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });

  if (making.data) {
    return (
      <Stack>
        <EnrolmentInstructions name={name.trim()} token={making.data.token} isExtension={kind === 'browser'} allowsScripts={allowsScripts} />
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
        making.mutate({ scope: 'agent', name: name.trim(), agentName: name.trim() });
      }}
    >
      <Stack>
        {making.error && <ProblemAlert title="No token was made" error={making.error} />}
        <SegmentedControl fullWidth data={[...kinds]} value={kind} onChange={setKind} aria-label="What is added" />
        <TextInput
          label="Name of the host"
          description="User Agents name it in their “host”."
          placeholder={kind === 'machine' ? 'lab-1' : 'laptop of Ann'}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={80}
          withAsterisk={false}
          data-autofocus
        />
        {kind === 'machine' && (
          <Checkbox
            label="Scenarios may run set-up and tear-down scripts there"
            description="Then every evaluator can run anything there, as the user who starts the Agent. The audit log keeps each script."
            checked={allowsScripts}
            onChange={(event) => setAllowsScripts(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={making.isPending} disabled={name.trim() === ''}>
            Make a token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
