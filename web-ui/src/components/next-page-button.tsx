import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from './problem-alert.tsx';

interface PagedQuery {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page of a list, and is not there after the last one. If it cannot be loaded, an alert says so beside what is there. `isSmall` beside a line of text, otherwise below the list. */
export function NextPageButton({
  query,
  isSmall = false,
  children,
}: {
  query: PagedQuery;
  isSmall?: boolean;
  children: ReactNode;
}) {
  if (!query.hasNextPage) return null;
  return (
    <>
      {query.isFetchNextPageError && <ProblemAlert title="No more can be shown" error={query.error} />}
      <Button
        {...(isSmall
          ? { size: 'compact-xs', variant: 'subtle' }
          : { variant: 'default', style: { alignSelf: 'start' } })}
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {children}
      </Button>
    </>
  );
}
