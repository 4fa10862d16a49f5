import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface PagedQuery {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page of a list, and is not there after the last one. `isSmall` beside a line of text, otherwise below the list. */
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
    <Button
      {...(isSmall ? { size: 'compact-xs', variant: 'subtle' } : { variant: 'default', style: { alignSelf: 'start' } })}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {children}
    </Button>
  );
}
