import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { runsQuery } from '../../api/queries.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { RunTable } from '../../components/run-table.tsx';

export function EvaluationRuns({ evaluationId }: { evaluationId: string }) {
  const query = useQuery(runsQuery);
  return (
    <QueryContent query={query} what="The Runs">
      {(runs) => {
        const own = runs.filter((run) => run.evaluationId === evaluationId);
        return own.length > 0 ? <RunTable runs={own} withEvaluation={false} /> : <Text c="dimmed">It has not been run yet. Press Run to measure it.</Text>;
      }}
    </QueryContent>
  );
}
