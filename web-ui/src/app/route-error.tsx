import { Container } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ProblemAlert } from '../components/problem-alert.tsx';

/** Shows the error of a page in its place; the rest of the window stays. */
export function RouteError() {
  return (
    <Container size="sm" py="xl">
      <ProblemAlert title="This page cannot be shown" error={useRouteError()} onRetry={() => location.reload()} />
    </Container>
  );
}
