import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="No such page" />
      <EmptyState
        title="There is no page at this address"
        action={
          <Button component={Link} to="/">
            Evaluations
          </Button>
        }
      >
        The link may be incomplete, or from an older version.
      </EmptyState>
    </>
  );
}
