import { Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { sessionQuery } from '../api/queries.ts';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { PageLoading } from './page-loading.tsx';

/** Lets only the signed-in through; the others come back to where they wanted to go. */
export function RequireSession() {
  const session = useQuery(sessionQuery);
  const { pathname, search } = useLocation();

  if (session.data) return <Outlet />;
  if (session.data === null) return <Navigate to={`/sign-in?${new URLSearchParams({ next: pathname + search }).toString()}`} replace />;
  if (session.error) {
    return (
      <Container size="sm" py="xl">
        <ProblemAlert title="The Controller cannot be reached" error={session.error} onRetry={() => void session.refetch()} />
      </Container>
    );
  }
  return <PageLoading />;
}
