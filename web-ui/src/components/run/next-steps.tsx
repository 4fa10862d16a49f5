import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { NeedsRole } from '../../access/needs-role.tsx';
import { AddRoundsButton } from './add-rounds-button.tsx';
import { RunAgainButton } from './run-again-button.tsx';

interface NextStepsProps {
  runId: string;
  /** Whether Rounds can be added to it. */
  canAdd: boolean;
  /** Whether its result is undecided. */
  isUndecided?: boolean;
  /** The Run that this one is a change of. */
  changedFromRun: string | null;
}

/** What an evaluator does after a result. */
export function NextSteps({ runId, canAdd, isUndecided = false, changedFromRun }: NextStepsProps) {
  return (
    <Group gap="xs" className="no-print" role="group" aria-label="Next steps">
      {canAdd && <AddRoundsButton runId={runId} isProposed={isUndecided} />}
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
