import { Skeleton, Text, Alert, Table } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupOf } from '#core/comparison/compared-group.ts';
import type { ComparisonOutline } from '#core/comparison/comparison-outline.ts';
import { catalogue } from '#core/metrics/index.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { outlineQuery } from '../../api/outline-query.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { GroupBodies } from '../../components/group-bodies.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { formatHalfWidth, formatNumber } from '../../format/format-numbers.ts';
import { formatReduction } from '../../format/format-ratios.ts';
import { decimalsOfMs, formatMs } from '../../format/format-times.ts';

/** Most reports arrive earlier. A first answer would only flicker. */
const patienceMs = 700;

/** The first answer of a report, while the whole of it is computed: means from sums that are kept. */
export function OutlineView({ runId, from }: { runId: string; from: LatencyOrigin }) {
  const [isSlow, setIsSlow] = useState(false);
  useTimeout(() => setIsSlow(true), patienceMs, { autoInvoke: true });
  const outline = useQuery({ ...outlineQuery(runId), enabled: isSlow }).data;
  if (!outline) {
    return (
      <>
        <Skeleton height={72} />
        <Skeleton height={110} />
        <RowsSkeleton />
      </>
    );
  }
  return (
    <>
      <Text c="dimmed" aria-live="polite">
        {catalogue[outline.primaryMetric].label}
        {from === 'first-request' && ' from navigation start'}: first figures, from sums. The Controller is computing
        the full report, with reductions and intervals …
      </Text>
      <OutlineTable outline={outline} metric={outline.primaryMetric} label="First figures" />
    </>
  );
}

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

interface OutlineTableProps {
  outline: ComparisonOutline;
  metric: ComparisonOutline['metrics'][number]['metric'];
  label: string;
  /** Whether it has reductions. Before lost objects are counted, nobody knows whether they hold. */
  hasReductions?: boolean;
}

/** Means of one latency, from sums, and reductions if they are wanted. */
function OutlineTable({ outline, metric, label, hasReductions = false }: OutlineTableProps) {
  const scenarios = outline.metrics.find((each) => each.metric === metric)?.scenarios ?? [];
  const styles = styleScenarios(
    scenarios.map(({ scenario: name, isBaseline: baseline, trait }) => ({
      name,
      baseline,
      trait,
      group: groupOf(outline.groups, name)?.name,
    })),
  );
  return (
    <Table aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Scenario</Table.Th>
          <Table.Th className="numeric">Mean</Table.Th>
          {hasReductions && <Table.Th className="numeric">Reduction vs baseline</Table.Th>}
          <Table.Th className="numeric">Visits</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <GroupBodies
        groups={outline.groups}
        items={scenarios}
        scenarioOf={({ scenario }) => scenario}
        columns={hasReductions ? 4 : 3}
      >
        {({ scenario, isBaseline, isSolo, mean, reduction, visits }) => (
          <Table.Tr key={scenario}>
            <Table.Th scope="row">
              <ScenarioName name={scenario} style={styles.get(scenario)} isBaseline={isBaseline} />
            </Table.Th>
            <Table.Td className="numeric">
              {mean ? (
                `${formatMs(mean.mean)}${mean.halfWidth === null ? '' : ` ${formatHalfWidth(mean.halfWidth, decimalsOfMs(mean.mean))}`}`
              ) : (
                <AbsentValue reason="No Visit gave a value." />
              )}
            </Table.Td>
            {hasReductions && (
              <Table.Td className="numeric">
                {reduction ? (
                  formatReduction(reduction)
                ) : (
                  <AbsentValue
                    reason={
                      isBaseline
                        ? 'The others are compared with the baseline.'
                        : isSolo
                          ? 'A User Agent is alone in it, so it is not compared.'
                          : 'No Block has a value under both Scenarios.'
                    }
                  />
                )}
              </Table.Td>
            )}
            <Table.Td className="numeric">{formatNumber(visits)}</Table.Td>
          </Table.Tr>
        )}
      </GroupBodies>
    </Table>
  );
}
