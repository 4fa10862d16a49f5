import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { NeedsRole } from '../access/needs-role.tsx';
import { RunAgainButton } from './run-again-button.tsx';

/** What an evaluator does after a result. `changedFromRun`: the Run that this one is a change of. */
export function NextSteps({ runId, changedFromRun }: { runId: string; changedFromRun: string | null }) {
  return (
    <Group gap="xs" className="no-print" role="group" aria-label="Next steps">
      <RunAgainButton runId={runId} />
      <NeedsRole role="evaluator">
        <Button component={Link} to={`/evaluations/new?run=${runId}`} variant="default">
          Change one thing and run
        </Button>
      </NeedsRole>
      {changedFromRun !== null && (
        <Button component={Link} to={`/runs/compare?runs=${changedFromRun},${runId}`} variant="default">
          Compare with Run {changedFromRun}
        </Button>
      )}
    </Group>
  );
}
