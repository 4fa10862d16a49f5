import { Button } from '@mantine/core';
import { NeedsRole } from '../../access/needs-role.tsx';
import { startRun } from '../../api/run-requests.ts';
import { useStartRun } from '../../components/run/use-start-run.ts';

interface RunButtonProps {
  evaluationId: string;
  evaluationName: string;
  isSmall?: boolean;
}

/** Starts a Run and goes to its page. */
export function RunButton({ evaluationId, evaluationName, isSmall = false }: RunButtonProps) {
  const starting = useStartRun(() => startRun(evaluationId));
  return (
    <NeedsRole role="evaluator">
      <Button
        variant={isSmall ? 'outline' : 'filled'}
        size={isSmall ? 'compact-sm' : 'sm'}
        loading={starting.isPending}
        onClick={() => starting.mutate()}
        aria-label={`Run ${evaluationName}`}
      >
        Run
      </Button>
    </NeedsRole>
  );
}
