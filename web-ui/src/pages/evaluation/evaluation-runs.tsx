import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { runPagesQuery } from '../../api/queries.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { formatNumber } from '../../format/format-number.ts';

/** The Runs of one Evaluation, found among all of them, the newest first. */
export function EvaluationRuns({ evaluationId }: { evaluationId: string }) {
  const query = useInfiniteQuery(runPagesQuery());
  return (
    <QueryContent query={query} what="The Runs">
      {({ pages }) => {
        const seen = pages.flat();
        const own = seen.filter((run) => run.evaluationId === evaluationId);
        return (
          <>
            {own.length > 0 && <RunTable runs={own} withEvaluation={false} />}
            {own.length === 0 && (
              <Text c="dimmed">
                {query.hasNextPage
                  ? `No Run of this Evaluation among the newest ${formatNumber(seen.length)}.`
                  : 'No Run yet. Press Run to start one.'}
              </Text>
            )}
            {query.isFetchNextPageError && <ProblemAlert title="Older Runs cannot be shown" error={query.error} />}
            {query.hasNextPage && (
              <Button
                variant="default"
                size="xs"
                mt="sm"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Search older Runs
              </Button>
            )}
          </>
        );
      }}
    </QueryContent>
  );
}
