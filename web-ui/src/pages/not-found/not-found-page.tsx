import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="No such page" />
      <EmptyState title="Nothing lives at this address" action={<Button component={Link} to="/">Evaluations</Button>}>
        The link may be of an older version, or a character of it may be missing.
      </EmptyState>
    </>
  );
}
