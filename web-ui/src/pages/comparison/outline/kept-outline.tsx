import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { catalogue } from '#core/metrics/index.ts';
import { outlineQuery } from '../../../api/outline-query.ts';
import { PageHeader } from '../../../components/page-header.tsx';
import { QueryContent } from '../../../components/query-content.tsx';
import { Section } from '../../../components/section.tsx';
import { OutlineTable } from './outline-table.tsx';

/** What is left of a report after the Visits of its Run were deleted. */
export function KeptOutline({
  runId,
  message,
  parent,
}: {
  runId: string;
  message: string;
  parent?: { to: string; label: string };
}) {
  const query = useQuery(outlineQuery(runId));
  return (
    <>
      <PageHeader title={`Comparison of Run ${runId}`} {...(parent && { parent })} />
      <Alert color="gray" variant="light" title="What is kept of this report">
        {message}.
      </Alert>
      <QueryContent query={query} what="What is kept">
        {(outline) =>
          outline.metrics.map(({ metric }) => (
            <Section key={metric} title={catalogue[metric].label}>
              <OutlineTable outline={outline} metric={metric} label={catalogue[metric].label} hasReductions />
            </Section>
          ))
        }
      </QueryContent>
      <Text size="sm" c="dimmed">
        Reductions have their intervals in brackets. They are not corrected for missing pages, nor for lost objects.
      </Text>
    </>
  );
}
