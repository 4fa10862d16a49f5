import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RunStateSchema } from '#core/protocol/api/run.ts';
import { runPagesQuery } from '../../api/queries.ts';
import { readRunSearch } from '../../api/run-search.ts';
import { EmptyState } from '../empty-state.tsx';
import { NextPageButton } from '../next-page-button.tsx';
import { hasFilters, ListFilters } from '../list/list-filters.tsx';
import { useAddress } from '../list/use-address.ts';
import { useSorting } from '../list/use-sorting.ts';
import { ProblemAlert } from '../problem-alert.tsx';
import { QueryContent } from '../query-content.tsx';
import { RunTable } from './run-table.tsx';

const typingPauseMs = 250;

interface RunListProps {
  /** The Runs of one Evaluation; of all unless it is given. */
  evaluationId?: string;
  withTries?: boolean;
  /** Shown where there is no Run at all. */
  empty: ReactNode;
}

/** Runs, found and sorted as the address says. */
export function RunList({ evaluationId, withTries = false, empty }: RunListProps) {
  const [address] = useAddress();
  const sorting = useSorting({ by: 'run', order: 'descending' });
  const [settled] = useDebouncedValue(address.toString(), typingPauseMs, { leading: true });
  const search = readRunSearch(new URLSearchParams(settled));
  const query = useInfiniteQuery({
    ...runPagesQuery({
      withTries,
      search: { ...search, ...(evaluationId !== undefined && { evaluation: evaluationId }) },
    }),
    // The list stays in its place while another one is requested.
    placeholderData: keepPreviousData,
  });
  const isFiltered = hasFilters(address);
  return (
    <QueryContent query={query} what="The Runs">
      {({ pages }) => {
        const runs = pages.flat();
        if (runs.length === 0 && !isFiltered) return empty;
        return (
          <>
            <ListFilters label="Search Runs" states={RunStateSchema.options} />
            {runs.length === 0 ? (
              <EmptyState title="No matching Run">No Run matches all filters above. Clear a filter.</EmptyState>
            ) : (
              <RunTable runs={runs} withEvaluation={evaluationId === undefined} sorting={sorting} />
            )}
            {query.isFetchNextPageError && <ProblemAlert title="More Runs cannot be shown" error={query.error} />}
            <NextPageButton query={query}>Show more Runs</NextPageButton>
          </>
        );
      }}
    </QueryContent>
  );
}
