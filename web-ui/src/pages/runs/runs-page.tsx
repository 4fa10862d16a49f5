import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { runPagesQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { Term } from '../../components/term.tsx';

/** Every Run, the newest first. */
export function RunsPage() {
  const query = useInfiniteQuery(runPagesQuery);
  return (
    <>
      <PageHeader
        title="Runs"
        actions={
          <Button component={Link} to="/runs/compare" variant="default">
            Side by side
          </Button>
        }
      />
      <QueryContent query={query} what="The Runs">
        {({ pages }) =>
          pages[0]!.length > 0 ? (
            <>
              <RunTable runs={pages.flat()} />
              {query.isFetchNextPageError && <ProblemAlert title="Older Runs cannot be shown" error={query.error} />}
              {query.hasNextPage && (
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} style={{ alignSelf: 'start' }}>
                  Show older Runs
                </Button>
              )}
            </>
          ) : (
            <EmptyState
              title="Nothing has been run yet"
              action={
                <Button component={Link} to="/">
                  Evaluations
                </Button>
              }
            >
              A <Term of="run">Run</Term> executes an <Term of="evaluation">Evaluation</Term> once, <Term of="round">Round</Term> by Round. Press <em>Run</em>{' '}
              beside an Evaluation; its progress and its result will be listed here.
            </EmptyState>
          )
        }
      </QueryContent>
    </>
  );
}
