import {
  Button,
  Group,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { HostJoin } from '#core/protocol/api/host-join.ts';
import { useMayDo } from '../../access/use-role.ts';
import { joinHost, stopHostJoin } from '../../api/agent-requests.ts';
import { hostJoinsQuery } from '../../api/queries.ts';
import { useRefresh } from '../../api/use-refresh.ts';
import { DialogButtons, DialogForm } from '../../components/form-dialog.tsx';
import { TextFileButton } from '../../components/text-file-button.tsx';
import { HostJoinProgress } from './host-join-progress.tsx';

interface JoinBySshProps {
  name: string;
  allowsScripts: boolean;
  /** Fields before and after those of the login. */
  first: ReactNode;
  last: ReactNode;
  /** What can be done once the host is connected. */
  next?: ReactNode;
  onDone: () => void;
}

const mostPort = 65_535;
const nothingSecret = { key: '', passphrase: '', password: '' };

/** Where and as whom to log in, then what comes of it. What is secret is in this component only, until the host is joined. */
export function JoinBySsh({ name, allowsScripts, first, last, next, onDone }: JoinBySshProps) {
  const mayJoin = useMayDo('admin');
  const { data: known } = useQuery({ ...hostJoinsQuery, enabled: mayJoin });
  const [place, setPlace] = useState<{ address: string; user: string; port: number | string }>({
    address: '',
    user: '',
    port: 22,
  });
  const [kind, setKind] = useState<'key' | 'password'>('key');
  const [secret, setSecret] = useState(nothingSecret);
  const refresh = useRefresh(hostJoinsQuery.queryKey);
  const joining = useMutation({
    mutationFn: (hostKey: string | null) => {
      const { key, passphrase, password } = secret;
      const login = kind === 'key' ? { kind, key, passphrase } : { kind, password };
      return joinHost({ ...place, port: Number(place.port), name, allowsScripts, login, hostKey });
    },
    meta: { showsProblem: true },
    onSuccess: refresh,
  });
  const stopping = useMutation({ mutationFn: stopHostJoin, onSettled: refresh });

  const obstacle = mayJoin
    ? known?.obstacle
    : 'This needs the role “admin”, as the Controller’s machine opens the connection. Join the machine by a command, or ask an admin.';
  if (obstacle)
    return (
      <Stack>
        {first}
        <Text size="sm">{obstacle}</Text>
      </Stack>
    );

  if (joining.data) {
    const join: HostJoin = known?.joins.find(({ id }) => id === joining.data.id) ?? joining.data;
    if (join.state === 'joined' && secret !== nothingSecret) setSecret(nothingSecret);
    const isBusy = join.state === 'connecting';
    return (
      <Stack>
        <HostJoinProgress join={join} />
        <DialogButtons>
          {isBusy && (
            <Button variant="default" loading={stopping.isPending} onClick={() => stopping.mutate(join.id)}>
              Stop
            </Button>
          )}
          {(join.state === 'failed' || join.state === 'unknown-key') && (
            <Button
              variant="default"
              onClick={() => {
                stopping.mutate(join.id);
                joining.reset();
              }}
            >
              Back
            </Button>
          )}
          {join.hostKey && (
            <Button loading={joining.isPending} onClick={() => joining.mutate(join.hostKey!.fingerprint)}>
              The same: connect
            </Button>
          )}
          {(isBusy || join.state === 'joined') && (
            <Button variant={join.state === 'joined' && !next ? 'filled' : 'default'} onClick={onDone}>
              {isBusy ? 'Close, and continue' : 'Done'}
            </Button>
          )}
          {join.state === 'joined' && next}
        </DialogButtons>
      </Stack>
    );
  }

  const { address, user, port } = place;
  const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= mostPort;
  const hasSecret = kind === 'key' ? secret.key.trim() !== '' : secret.password !== '';
  return (
    <DialogForm
      onSubmit={() => joining.mutate(null)}
      submitLabel="Connect"
      isComplete={name !== '' && address.trim() !== '' && user.trim() !== '' && isPort && hasSecret}
      isPending={joining.isPending}
      error={joining.error}
      errorTitle="Nothing was connected"
    >
      {first}
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          label="Address"
          placeholder="192.0.2.7"
          value={address}
          onChange={(event) => setPlace({ ...place, address: event.currentTarget.value.trim() })}
          maxLength={1000}
          flex={1}
          miw={0}
        />
        <NumberInput
          label="Port"
          value={port}
          onChange={(value) => setPlace({ ...place, port: value })}
          min={1}
          max={mostPort}
          clampBehavior="none"
          allowDecimal={false}
          error={isPort || port === '' ? undefined : `1 to ${mostPort}`}
          hideControls
          w={80}
        />
      </Group>
      <TextInput
        label="User"
        placeholder="root"
        value={user}
        onChange={(event) => setPlace({ ...place, user: event.currentTarget.value.trim() })}
        maxLength={1000}
        autoComplete="off"
      />
      <SegmentedControl
        fullWidth
        data={[
          { value: 'key', label: 'Private key' },
          { value: 'password', label: 'Password' },
        ]}
        value={kind}
        onChange={setKind}
        aria-label="Log in by"
      />
      {kind === 'key' ? (
        <>
          <Textarea
            label="Private key"
            placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
            value={secret.key}
            onChange={(event) => setSecret({ ...secret, key: event.currentTarget.value })}
            rows={3}
            maxLength={20_000}
            spellCheck={false}
            autoComplete="off"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
          />
          <TextFileButton accept="" size="xs" w="fit-content" onText={(key) => setSecret({ ...secret, key })}>
            Open a key file…
          </TextFileButton>
          <PasswordInput
            label="Passphrase of the key, if it has one"
            value={secret.passphrase}
            onChange={(event) => setSecret({ ...secret, passphrase: event.currentTarget.value })}
            maxLength={1000}
            autoComplete="off"
          />
        </>
      ) : (
        <PasswordInput
          label="Password"
          value={secret.password}
          onChange={(event) => setSecret({ ...secret, password: event.currentTarget.value })}
          maxLength={1000}
          autoComplete="off"
        />
      )}
      <Text size="sm" c={window.isSecureContext ? 'dimmed' : 'var(--mantine-color-yellow-light-color)'}>
        The Controller uses key and password for this login only, and does not store them.
        {!window.isSecureContext &&
          ' This page comes over http: others on the network can read what you type. Use https, or a command.'}
      </Text>
      {last}
    </DialogForm>
  );
}
