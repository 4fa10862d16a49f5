import { Container } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { sessionQuery } from '../api/queries.ts';
import { ProblemAlert } from '../components/problem-alert.tsx';
import { PageLoading } from './page-loading.tsx';

/** Shows the page to signed-in people only. The others sign in first, then come back to it. */
export function RequireSession() {
  const session = useQuery(sessionQuery);
  const { pathname, search } = useLocation();

  if (session.data) return <Outlet />;
  if (session.data === null)
    return <Navigate to={`/sign-in?${new URLSearchParams({ next: pathname + search }).toString()}`} replace />;
  if (session.error) {
    return (
      <Container size="sm" py="xl">
        <ProblemAlert
          title="No connection to the Controller"
          error={session.error}
          onRetry={() => void session.refetch()}
        />
      </Container>
    );
  }
  return <PageLoading />;
}
