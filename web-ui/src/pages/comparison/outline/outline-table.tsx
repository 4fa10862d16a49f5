import { Table } from '@mantine/core';
import type { ComparisonOutline } from '#core/comparison/comparison-outline.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { GroupBodies } from '../../../components/group-bodies.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import { styleScenarios } from '../../../components/scenario/scenario-style.ts';
import { formatHalfWidth } from '../../../format/format-numbers.ts';
import { decimalsOfMs, formatMs } from '../../../format/format-ms.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { groupOf } from '#core/comparison/compared-group.ts';
import { formatReduction } from '../../../format/format-ratios.ts';

interface OutlineTableProps {
  outline: ComparisonOutline;
  metric: ComparisonOutline['metrics'][number]['metric'];
  label: string;
  /** Whether it has reductions. Before lost objects are counted, nobody knows whether they hold. */
  hasReductions?: boolean;
}

/** Means of one latency, from sums, and reductions if they are wanted. */
export function OutlineTable({ outline, metric, label, hasReductions = false }: OutlineTableProps) {
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
        {({ scenario, isBaseline, mean, reduction, visits }) => (
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
