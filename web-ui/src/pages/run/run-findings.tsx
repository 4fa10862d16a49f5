import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { comparisonQuery } from '../../api/queries.ts';
import { Findings } from '../../components/reduction/findings.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { VisitsLink } from '../../components/run/visits-link.tsx';

/** What came out of a Run that has ended, in words. */
export function RunFindings({ runId, styles }: { runId: string; styles: Map<string, ScenarioStyle> }) {
  const query = useQuery(comparisonQuery(runId));
  return (
    <QueryContent query={query} what="The Comparison" skeleton={<Skeleton height={72} />}>
      {(comparison) => (
        <Findings
          comparison={comparison}
          styles={styles}
          linkOf={({ about }) =>
            (about === 'unsettled' || about === 'failed') && (
              <VisitsLink filter={{ runId, status: about }}>The {about} Visits</VisitsLink>
            )
          }
        />
      )}
    </QueryContent>
  );
}
