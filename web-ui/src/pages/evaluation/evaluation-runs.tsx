import { Stack, Text } from '@mantine/core';
import { RunList } from '../../components/run/run-list.tsx';

/** The Runs of one Evaluation, the newest first unless sorted. */
export function EvaluationRuns({ evaluationId }: { evaluationId: string }) {
  return (
    <Stack>
      <RunList evaluationId={evaluationId} empty={<Text c="dimmed">No Run yet. Press Run to start one.</Text>} />
    </Stack>
  );
}
