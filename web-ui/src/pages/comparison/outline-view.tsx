import { Skeleton, Table, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogue } from '#core/metrics/catalogue.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import { outlineQuery } from '../../api/outline-query.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { GroupBodies } from '../../components/group-bodies.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import { styleScenarios } from '../../components/scenario-style.ts';
import { decimalsOfMs, formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';
import { formatPercent } from '../../format/format-percent.ts';

/** Most reports arrive earlier. A first answer would only flicker. */
const patienceMs = 700;

/** The first answer of a report, while the whole of it is computed: means and reductions from sums that are kept. */
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
  const scenarios = outline.metrics.find(({ metric }) => metric === outline.primaryMetric)?.scenarios ?? [];
  const styles = styleScenarios(
    scenarios.map(({ scenario, isBaseline }) => ({ name: scenario, baseline: isBaseline })),
  );
  return (
    <>
      <Text c="dimmed" aria-live="polite">
        {catalogue[outline.primaryMetric].label}
        {from === 'first-request' && ' from navigation start'}: first figures, from sums. The Controller is computing
        the full report, with intervals corrected for missing pages …
      </Text>
      <Table aria-label="First figures">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Scenario</Table.Th>
            <Table.Th className="numeric">Mean</Table.Th>
            <Table.Th className="numeric">Reduction vs baseline</Table.Th>
            <Table.Th className="numeric">Visits</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <GroupBodies groups={outline.groups} items={scenarios} scenarioOf={({ scenario }) => scenario} columns={4}>
          {({ scenario, isBaseline, mean, reduction, visits }) => (
            <Table.Tr key={scenario}>
              <Table.Th scope="row">
                <ScenarioName name={scenario} style={styles.get(scenario)} isBaseline={isBaseline} />
              </Table.Th>
              <Table.Td className="numeric">
                {mean ? (
                  `${formatMs(mean.mean)}${mean.halfWidth === null ? '' : ` ± ${formatNumber(mean.halfWidth, decimalsOfMs(mean.mean))}`}`
                ) : (
                  <AbsentValue reason="No Visit gave a value." />
                )}
              </Table.Td>
              <Table.Td className="numeric">
                {reduction ? (
                  formatPercent(reduction.ratio)
                ) : (
                  <AbsentValue
                    reason={
                      isBaseline
                        ? 'The others are compared with the baseline.'
                        : 'No Block has a value under both Scenarios.'
                    }
                  />
                )}
              </Table.Td>
              <Table.Td className="numeric">{formatNumber(visits)}</Table.Td>
            </Table.Tr>
          )}
        </GroupBodies>
      </Table>
    </>
  );
}
