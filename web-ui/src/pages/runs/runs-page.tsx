import { Button, Switch } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { runPagesQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { Term } from '../../components/term.tsx';

/** Every Run, the newest first; those that only tried a URL on request. */
export function RunsPage() {
  const [search, setSearch] = useSearchParams();
  const withTries = search.has('tries');
  // The list stays in its place while the other one is requested.
  const query = useInfiniteQuery({ ...runPagesQuery({ withTries }), placeholderData: keepPreviousData });
  return (
    <>
      <PageHeader
        title="Runs"
        actions={
          <>
            <Switch
              label="Show tries"
              checked={withTries}
              onChange={(event) => setSearch(event.currentTarget.checked ? { tries: '' } : {}, { replace: true })}
            />
            <Button component={Link} to="/runs/compare" variant="default">
              Compare Runs
            </Button>
          </>
        }
      />
      <QueryContent query={query} what="The Runs">
        {({ pages }) =>
          pages[0]!.length > 0 ? (
            <>
              <RunTable runs={pages.flat()} />
              {query.isFetchNextPageError && <ProblemAlert title="Older Runs cannot be shown" error={query.error} />}
              {query.hasNextPage && (
                <Button
                  variant="default"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                  style={{ alignSelf: 'start' }}
                >
                  Show older Runs
                </Button>
              )}
            </>
          ) : (
            <EmptyState
              title="No Runs yet"
              action={
                <Button component={Link} to="/">
                  Evaluations
                </Button>
              }
            >
              A <Term of="run">Run</Term> executes an <Term of="evaluation">Evaluation</Term> once,{' '}
              <Term of="round">Round</Term> by Round. Press <em>Run</em> next to an Evaluation. This page then lists its
              progress and its result.
            </EmptyState>
          )
        }
      </QueryContent>
    </>
  );
}
