import { Center, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { sessionQuery } from '../../api/queries.ts';
import { AccountForm } from './account-form.tsx';
import { localPath } from './local-path.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { readOneTimeLink } from './read-one-time-link.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useTicket } from './use-ticket.ts';

/** The way in: by name and password, or by a one-time link, after which a name and password can be chosen, or a new password. */
export function SignInPage() {
  const location = useLocation();
  const navigate = useNavigate();
  const [link] = useState(() => readOneTimeLink(location.hash));
  const query = new URLSearchParams(location.search);
  const next = localPath(link?.for === 'signing-in' ? link.next : query.get('next'), window.location.origin);
  const exchange = useTicket(link?.for === 'signing-in' ? link.ticket : null);
  const session = useQuery({ ...sessionQuery, enabled: exchange.state !== 'under-way' });
  const goOn = () => void navigate(next, { replace: true });

  // A ticket works once: it must not stay in the address bar or in the history.
  useEffect(() => {
    if (link) window.history.replaceState(window.history.state, '', window.location.pathname);
  }, [link]);

  const isRenewing = link?.for === 'new-password';
  const isChoosing = !isRenewing && session.data?.evaluatorName === null && (link !== null || query.has('account'));
  if (session.data && !isChoosing && !isRenewing && exchange.state !== 'under-way')
    return <Navigate to={next} replace />;

  return (
    <Center component="main" mih="100dvh" p="md">
      <title>Sign in · HTTP-AE</title>
      <Paper withBorder p="xl" radius="lg" w="100%" maw={420}>
        <Stack gap="lg">
          <Stack gap={6}>
            <img src="/favicon.svg" alt="" width={36} height={36} />
            <Title order={1}>
              {isRenewing ? 'Choose a new password' : isChoosing ? 'You are signed in' : 'HTTP-AE'}
            </Title>
            <Text c="dimmed" size="sm">
              {isRenewing
                ? `For ${link.name}. The link works only once. Other sessions of ${link.name} end.`
                : isChoosing
                  ? `The link works only once. Your role is ${session.data?.role ?? ''}. Choose a name and a password to sign in again without it.`
                  : 'Measures what several simultaneous web users experience.'}
            </Text>
          </Stack>
          {exchange.state === 'under-way' ? (
            <Loader size="sm" aria-label="Signing in" />
          ) : isRenewing ? (
            <NewPasswordForm ticket={link.ticket} name={link.name} onDone={goOn} />
          ) : isChoosing ? (
            <AccountForm onDone={goOn} />
          ) : (
            <SignInForm refusedTicket={exchange.error} onDone={goOn} />
          )}
        </Stack>
      </Paper>
    </Center>
  );
}
