import {
  Center,
  Loader,
  Paper,
  Stack,
  Text,
  Title,
  Button,
  Group,
  PasswordInput,
  Code,
  TextInput,
} from '@mantine/core';
import { useQuery, useQueryClient, useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode, useRef } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { sessionQuery } from '../../api/queries.ts';
import { signInByTicket, renewPassword, signIn, createAccount } from '../../api/session.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { CredentialsForm, NewPasswordInput } from './credentials-form.tsx';
import type { Session } from '#core/protocol/api/access.ts';

interface Step {
  title: string;
  words: string;
  content: ReactNode;
}

/** The way in: by name and password, or by a one-time link, after which a name and password can be chosen, or a new password. */
export function SignInPage() {
  const location = useLocation();
  const navigate = useNavigate();
  const [link] = useState(() => readOneTimeLink(location.hash));
  const query = new URLSearchParams(location.search);
  const next = localPath(link?.for === 'signing-in' ? link.next : query.get('next'), window.location.origin);
  const exchange = useTicket(link?.for === 'signing-in' ? link.ticket : null);
  const [isNaming, setIsNaming] = useState(() => query.has('account'));
  const session = useQuery({ ...sessionQuery, enabled: exchange.state !== 'under-way' });
  const proceed = () => void navigate(next, { replace: true });

  // A ticket works once: it must not stay in the address bar or in the history.
  useEffect(() => {
    if (link) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [link]);

  const isRenewing = link?.for === 'new-password';
  const isChoosing = !isRenewing && session.data?.evaluatorName === null && (link !== null || query.has('account'));
  if (session.data && !isChoosing && !isRenewing && exchange.state !== 'under-way')
    return <Navigate to={next} replace />;

  const chooseStep = (): Step => {
    if (isRenewing)
      return {
        title: 'Choose a new password',
        words: `For ${link.name}. The link works only once. Other sessions of ${link.name} end.`,
        content: <NewPasswordForm ticket={link.ticket} name={link.name} onDone={proceed} />,
      };
    if (!isChoosing)
      return {
        title: 'HTTP-AE',
        words: 'Measures what several simultaneous web users experience.',
        content: <SignInForm refusedTicket={exchange.error} onDone={proceed} />,
      };
    if (isNaming)
      return {
        title: 'Create an account',
        words: 'With a name and a password, you can sign in again without a link.',
        content: <AccountForm onDone={proceed} />,
      };
    return {
      title: 'You are signed in',
      words: `The link works only once. Your role is ${session.data?.role ?? ''}.`,
      content: <SignedIn onContinue={proceed} onCreateAccount={() => setIsNaming(true)} />,
    };
  };
  const { title, words, content } = chooseStep();

  return (
    <Center component="main" mih="100dvh" p="md">
      <title>Sign in · HTTP-AE</title>
      <Paper withBorder p="xl" radius="lg" w="100%" maw={420}>
        <Stack gap="lg">
          <Stack gap={6}>
            <img src="/favicon.svg" alt="" width={36} height={36} />
            <Title order={1}>{title}</Title>
            <Text c="dimmed" size="sm">
              {words}
            </Text>
          </Stack>
          {exchange.state === 'under-way' ? <Loader size="sm" aria-label="Signing in" /> : content}
        </Stack>
      </Paper>
    </Center>
  );
}

/** `next` when it is a path of this site, else `/`: a sign-in must not send anybody to a place that a link chose. */
export function localPath(next: string | null, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : '/';
}

/** What a one-time link is for: to sign somebody in and open `next`, or to choose a new password for the account `name`. */
type OneTimeLink =
  | { for: 'signing-in'; ticket: string; next: string | null }
  | { for: 'new-password'; ticket: string; name: string };

/** What the fragment of a one-time link says (`#ticket=…&next=…`, `#password-ticket=…&name=…`); a fragment never reaches a server's log. */
export function readOneTimeLink(fragment: string): OneTimeLink | null {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const ticket = values.get('ticket');
  if (ticket) return { for: 'signing-in', ticket, next: values.get('next') };
  const passwordTicket = values.get('password-ticket');
  return passwordTicket ? { for: 'new-password', ticket: passwordTicket, name: values.get('name') ?? '' } : null;
}

/** What a person can do next who used a one-time link. */
function SignedIn({ onContinue, onCreateAccount }: { onContinue: () => void; onCreateAccount: () => void }) {
  return (
    <Stack>
      <Text size="sm" c="dimmed" id="without-account">
        Without an account, only this browser is signed in. After you sign out or the session ends, you need another
        link. You can also create the account later, in Settings.
      </Text>
      <Group justify="space-between">
        <Button variant="default" onClick={onCreateAccount}>
          Create an account
        </Button>
        <Button onClick={onContinue} aria-describedby="without-account">
          Continue
        </Button>
      </Group>
    </Stack>
  );
}

interface Exchange {
  state: 'under-way' | 'ended';
  error: unknown;
}

/** Exchanges a ticket for a session, once, even when React mounts the page twice. */
function useTicket(ticket: string | null): Exchange {
  const queryClient = useQueryClient();
  const [exchange, setExchange] = useState<Exchange>({ state: ticket ? 'under-way' : 'ended', error: null });
  const asked = useRef<string | null>(null);

  useEffect(() => {
    if (!ticket || asked.current === ticket) return;
    asked.current = ticket;
    signInByTicket(ticket).then(
      (session) => {
        queryClient.setQueryData(sessionQuery.queryKey, session);
        setExchange({ state: 'ended', error: null });
      },
      (error: unknown) => setExchange({ state: 'ended', error }),
    );
  }, [ticket, queryClient]);

  return exchange;
}

/** Lets a person who used a one-time link choose a new password, and signs them in. */
function NewPasswordForm({ ticket, name, onDone }: { ticket: string; name: string; onDone: () => void }) {
  const renewing = useEntering(renewPassword, onDone);

  return (
    <CredentialsForm onSubmit={(read) => renewing.mutate({ ticket, newPassword: read('password') })}>
      <Stack>
        {renewing.error && <ProblemAlert title="The password was not changed" error={renewing.error} />}
        <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
        <NewPasswordInput name="password" label="New password" autoFocus />
        <Button type="submit" loading={renewing.isPending}>
          Save password
        </Button>
      </Stack>
    </CredentialsForm>
  );
}

interface SignInFormProps {
  refusedTicket: unknown;
  onDone: () => void;
}

function SignInForm({ refusedTicket, onDone }: SignInFormProps) {
  const entering = useEntering(signIn, onDone);
  const refused = entering.error ?? refusedTicket;

  return (
    <CredentialsForm onSubmit={(read) => entering.mutate({ name: read('name'), password: read('password') })}>
      <Stack>
        {refused !== null && (
          <ProblemAlert title={entering.error ? 'Sign-in failed' : 'The one-time link was rejected'} error={refused} />
        )}
        <TextInput name="name" label="Name" autoComplete="username" required autoFocus withAsterisk={false} />
        <PasswordInput name="password" label="Password" autoComplete="current-password" required withAsterisk={false} />
        <Button type="submit" loading={entering.isPending}>
          Sign in
        </Button>
        <Text size="xs" c="dimmed">
          No account, or forgot the password? Ask an admin for a link. On the machine of the Controller,{' '}
          <Code>./http-ae link</Code> prints one.
        </Text>
      </Stack>
    </CredentialsForm>
  );
}

/** Lets a person who used a one-time link choose a name and a password, or leave it for later. */
function AccountForm({ onDone }: { onDone: () => void }) {
  const naming = useEntering(createAccount, onDone);

  return (
    <CredentialsForm onSubmit={(read) => naming.mutate({ name: read('name'), password: read('password') })}>
      <Stack>
        {naming.error && <ProblemAlert title="The account was not created" error={naming.error} />}
        <TextInput name="name" label="Name" autoComplete="username" required autoFocus withAsterisk={false} />
        <NewPasswordInput name="password" label="Password" />
        <Group justify="space-between">
          <Button variant="subtle" onClick={onDone}>
            Later
          </Button>
          <Button type="submit" loading={naming.isPending}>
            Create account
          </Button>
        </Group>
      </Stack>
    </CredentialsForm>
  );
}

/** Sends what lets somebody in: the session that is answered is theirs from then on. */
function useEntering<Credentials>(
  enter: (credentials: Credentials) => Promise<Session>,
  onDone: () => void,
): UseMutationResult<Session, Error, Credentials> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: enter,
    meta: { showsProblem: true },
    onSuccess: (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      onDone();
    },
  });
}
