import { Button, Checkbox, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { agentsQuery } from '../../api/queries.ts';
import { createToken } from '../../api/token-requests.ts';
import { DialogButtons, DialogForm } from '../../components/form-dialog.tsx';
import { EnrolmentInstructions } from './enrolment-instructions.tsx';

const kinds = [
  { value: 'machine', label: 'A machine, with a command' },
  { value: 'browser', label: 'A browser, with the extension' },
] as const;

interface AddHostFormProps {
  name: string;
  /** What can be done once the host is connected. */
  next?: ReactNode;
  onDone: () => void;
}

/** Names the host, makes a token that only an Agent of this name can use, and shows, once, what uses it. */
export function AddHostForm({ name: wantedName, next, onDone }: AddHostFormProps) {
  const [name, setName] = useState(wantedName);
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('machine');
  const [allowsScripts, setAllowsScripts] = useState(false);
  const { data: agents } = useQuery(agentsQuery);
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: createToken,
    meta: { showsProblem: true },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['tokens'] }),
  });

  if (making.data) {
    const isConnected = agents?.some((agent) => agent.name === name.trim() && agent.isConnected) ?? false;
    return (
      <Stack>
        <EnrolmentInstructions
          name={name.trim()}
          token={making.data.token}
          isExtension={kind === 'browser'}
          allowsScripts={allowsScripts}
          isConnected={isConnected}
        />
        <DialogButtons>
          <Button variant={isConnected && !next ? 'filled' : 'default'} onClick={onDone}>
            {isConnected ? 'Done' : 'Close'}
          </Button>
          {isConnected && next}
        </DialogButtons>
      </Stack>
    );
  }

  return (
    <DialogForm
      onSubmit={() => making.mutate({ scope: 'agent', name: name.trim(), agentName: name.trim() })}
      submitLabel="Create a token"
      isComplete={name.trim() !== ''}
      isPending={making.isPending}
      error={making.error}
      errorTitle="No token was created"
    >
      <SegmentedControl fullWidth data={[...kinds]} value={kind} onChange={setKind} aria-label="Kind of host" />
      <TextInput
        label="Name of the host"
        description="User Agents refer to this name as “host”."
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
          description="Every evaluator can then run any command there, as the user who starts the Agent. The audit log keeps each script."
          checked={allowsScripts}
          onChange={(event) => setAllowsScripts(event.currentTarget.checked)}
        />
      )}
    </DialogForm>
  );
}
