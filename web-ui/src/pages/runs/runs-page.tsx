import { Button, Switch } from '@mantine/core';
import { Link } from 'react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { useAddress } from '../../components/list/use-address.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { RunList } from '../../components/run/run-list.tsx';
import { Term } from '../../components/terms/term.tsx';

/** Every Run, the newest first unless sorted; those that only tried a URL on request. */
export function RunsPage() {
  const [search, change] = useAddress();
  const withTries = search.has('tries');
  return (
    <>
      <PageHeader
        title="Runs"
        actions={
          <>
            <Switch
              label="Show tries"
              checked={withTries}
              onChange={(event) => change({ tries: event.currentTarget.checked ? 'with' : null })}
            />
            <Button component={Link} to="/har" variant="default">
              Open HAR
            </Button>
            <Button component={Link} to="/runs/compare" variant="default">
              Compare Runs
            </Button>
          </>
        }
      />
      <RunList
        withTries={withTries}
        empty={
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
        }
      />
    </>
  );
}
