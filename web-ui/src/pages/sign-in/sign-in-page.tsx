import { Center, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { sessionQuery } from '../../api/queries.ts';
import { AccountForm } from './account-form.tsx';
import { localPath } from './local-path.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { readOneTimeLink } from './read-one-time-link.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignedIn } from './signed-in.tsx';
import { useTicket } from './use-ticket.ts';

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
