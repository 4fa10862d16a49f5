import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { HostJoin } from '#core/protocol/api/host-join.ts';
import { useMayDo } from '../../access/use-role.ts';
import { stopHostJoin } from '../../api/agent-requests.ts';
import { hostJoinsQuery } from '../../api/queries.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { StateDot } from '../../components/state-dot.tsx';

const states = {
  connecting: { state: 'active', words: 'is being joined' },
  'unknown-key': { state: 'idle', words: 'has an unknown key' },
  joined: { state: 'good', words: 'is connected' },
  failed: { state: 'bad', words: 'is not connected' },
} as const;

/** What was done to join a host over SSH, and what is to be done next. */
export function HostJoinProgress({ join }: { join: HostJoin }) {
  const { name, target, state, lines, hostKey, reason, isHeld } = join;
  return (
    <Stack gap="xs">
      <div aria-live="polite">
        <StateDot state={states[state].state} label={`${name} (${target}) ${states[state].words}`} />
      </div>
      {hostKey === null && (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {lines.join('\n') || 'beginning'}
        </Code>
      )}
      {hostKey && (
        <>
          <Text size="sm">
            The Controller’s machine does not know the key of this host. Compare it before anything secret is sent:
          </Text>
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {hostKey.type} {hostKey.fingerprint}
          </Code>
          <Text size="sm">At the host, this prints it:</Text>
          <CopyableCode code={`ssh-keygen -lf /etc/ssh/ssh_host_${hostKey.type.toLowerCase()}_key.pub`} />
          <Text size="sm" c="dimmed">
            If it differs, somebody may be in between: do not connect.
          </Text>
        </>
      )}
      {state === 'failed' && (
        <Alert color="red" variant="light" role="alert">
          {reason}
        </Alert>
      )}
      {isHeld && (
        <Text size="sm" c="dimmed">
          An ssh connection holds its Agent. It leaves when the connection breaks or this Controller stops. For good,
          the host needs systemd and must reach the Controller’s address.
        </Text>
      )}
    </Stack>
  );
}

/** The hosts that people joined from the page, with a way to end each. For admins; others see nothing. */
export function HostJoinList() {
  const isAdmin = useMayDo('admin');
  const { data } = useQuery({ ...hostJoinsQuery, enabled: isAdmin });
  const stopping = useMutation({ mutationFn: stopHostJoin, onSettled: useRefresh(hostJoinsQuery.queryKey) });
  if (!isAdmin) return null;
  return data?.joins.map((join) => (
    <Stack key={join.id} gap="xs">
      <HostJoinProgress join={join} />
      <Group>
        <EndButton
          join={join}
          isPending={stopping.isPending && stopping.variables === join.id}
          onEnd={() => stopping.mutate(join.id)}
        />
      </Group>
    </Stack>
  ));
}

interface EndButtonProps {
  join: HostJoin;
  isPending: boolean;
  onEnd: () => void;
}

/** Asks where it would take a connected host away. */
function EndButton({ join: { name, state, isHeld }, isPending, onEnd }: EndButtonProps) {
  const look = { variant: 'default', size: 'xs', loading: isPending } as const;
  if (isHeld && state !== 'connecting')
    return (
      <ConfirmButton
        {...look}
        title={`Disconnect the host “${name}”?`}
        consequence="Its Agent leaves at once, even during a Run. Its measurements stay."
        onConfirm={onEnd}
        aria-label={`Disconnect ${name}`}
      >
        Disconnect
      </ConfirmButton>
    );
  const word = state === 'connecting' ? 'Stop' : 'Dismiss';
  return (
    <Button {...look} onClick={onEnd} aria-label={`${word} ${name}`}>
      {word}
    </Button>
  );
}
