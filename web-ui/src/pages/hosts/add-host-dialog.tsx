import { type ReactNode, useState } from 'react';
import { FormDialog, DialogButtons, DialogForm } from '../../components/form-dialog.tsx';
import { Button, Checkbox, SegmentedControl, Stack, TextInput, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { agentsQuery, sessionQuery } from '../../api/queries.ts';
import { createToken } from '../../api/token-requests.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { makeEnrolmentLink } from '#core/protocol/enrolment-link.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { LocalAddressNote } from '../../components/local-address-note.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { JoinBySsh } from './join-by-ssh.tsx';

const kinds = [
  { value: 'machine', label: 'Command' },
  { value: 'ssh', label: 'SSH' },
  { value: 'browser', label: 'Extension' },
] as const;
export type HostKind = (typeof kinds)[number]['value'];

interface AddHostFormProps {
  name: string;
  kind: HostKind;
  /** What can be done once the host is connected. */
  next?: ReactNode;
  onDone: () => void;
}

interface EnrolmentInstructionsProps {
  name: string;
  token: string;
  isExtension: boolean;
  allowsScripts: boolean;
  isConnected: boolean;
}

interface AddHostDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The name that is wanted, to begin with. */
  name: string;
  kind?: HostKind;
  /** What can be done once the host is connected, besides closing. */
  next?: ReactNode;
}

export function AddHostDialog({ isOpen, onClose, name, kind = 'machine', next }: AddHostDialogProps) {
  return (
    <FormDialog title="Add a host" isOpen={isOpen} onClose={onClose}>
      <AddHostForm name={name} kind={kind} next={next} onDone={onClose} />
    </FormDialog>
  );
}

/** Names the host, and joins it over SSH. Or makes a token that only an Agent of this name can use, and shows, once, what uses it. */
function AddHostForm({ name: wantedName, kind: wantedKind, next, onDone }: AddHostFormProps) {
  const [name, setName] = useState(wantedName);
  const [kind, setKind] = useState<HostKind>(wantedKind);
  const [allowsScripts, setAllowsScripts] = useState(false);
  const { data: agents } = useQuery(agentsQuery);
  const making = useMutation({
    mutationFn: createToken,
    meta: { showsProblem: true },
    onSuccess: useRefresh(['tokens']),
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

  const kindAndName = (
    <>
      <SegmentedControl fullWidth data={[...kinds]} value={kind} onChange={setKind} aria-label="How the host joins" />
      <TextInput
        label="Name of the host"
        description="User Agents refer to this name as “host”."
        placeholder={kind === 'browser' ? 'laptop of Ann' : 'lab-1'}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={80}
        withAsterisk={false}
        data-autofocus
      />
    </>
  );
  const scripts = (
    <Checkbox
      label="Scenarios may run set-up and tear-down scripts there"
      description="Every evaluator can then run any command there, as the user who starts the Agent. The audit log keeps each script."
      checked={allowsScripts}
      onChange={(event) => setAllowsScripts(event.currentTarget.checked)}
    />
  );
  if (kind === 'ssh')
    return (
      <JoinBySsh
        name={name.trim()}
        allowsScripts={allowsScripts}
        first={kindAndName}
        last={scripts}
        next={next}
        onDone={onDone}
      />
    );
  return (
    <DialogForm
      onSubmit={() => making.mutate({ scope: 'agent', name: name.trim(), agentName: name.trim() })}
      submitLabel="Create a token"
      isComplete={name.trim() !== ''}
      isPending={making.isPending}
      error={making.error}
      errorTitle="No token was created"
    >
      {kindAndName}
      {kind === 'machine' && scripts}
    </DialogForm>
  );
}

/** What to do at the host with a new token, and whether it has come of it. */
function EnrolmentInstructions({ name, token, isExtension, allowsScripts, isConnected }: EnrolmentInstructionsProps) {
  const { data: session } = useQuery(sessionQuery);
  const controller = session?.publicUrl ?? window.location.origin;
  const code = isExtension
    ? makeEnrolmentLink({ controllerUrl: controller, token, name })
    : joinCommand({ controller, token, name, allowsScripts });
  return (
    <Stack>
      <Text size="sm">
        {isExtension
          ? 'Paste this link into the options of the HTTP-AE extension in that browser, and press Enrol. '
          : 'Run this in a clone of HTTP-AE on that machine. '}
        Only an Agent named <strong>{name}</strong> can use its token. It is shown only once.
      </Text>
      <CopyableCode code={code} />
      <LocalAddressNote address={controller} others="For other machines" />
      <div aria-live="polite">
        <StateDot
          state={isConnected ? 'good' : 'active'}
          label={isConnected ? `${name} is connected` : `Waiting for ${name} to connect`}
        />
      </div>
    </Stack>
  );
}

/** The one command that makes a machine a host. Each value is quoted for a POSIX shell. */
export function joinCommand({
  controller,
  token,
  name,
  allowsScripts = false,
}: {
  controller: string;
  token: string;
  name: string;
  allowsScripts?: boolean;
}): string {
  return `./http-ae agent --controller ${quote(controller)} --token ${quote(token)} --name ${quote(name)}${allowsScripts ? ' --allow-scripts' : ''}`;
}

function quote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
