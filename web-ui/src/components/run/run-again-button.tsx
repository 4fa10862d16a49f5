import { Button } from '@mantine/core';
import { NeedsRole } from '../../access/needs-role.tsx';
import { repeatRun } from '../../api/run-requests.ts';
import { useStartRun } from './use-start-run.ts';

/** Starts a Run of the same configuration, and goes to its page. */
export function RunAgainButton({ runId }: { runId: string }) {
  const starting = useStartRun(() => repeatRun(runId));
  return (
    <NeedsRole role="evaluator">
      <Button variant="default" loading={starting.isPending} onClick={() => starting.mutate()}>
        Run again
      </Button>
    </NeedsRole>
  );
}
