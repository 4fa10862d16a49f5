import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { runsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { Term } from '../../components/term.tsx';

/** Every Run, the newest first. */
export function RunsPage() {
  const query = useQuery(runsQuery);
  return (
    <>
      <PageHeader title="Runs" />
      <QueryContent query={query} what="The Runs">
        {(runs) =>
          runs.length > 0 ? (
            <RunTable runs={runs} />
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
