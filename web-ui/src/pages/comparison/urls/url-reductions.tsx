import { Table } from '@mantine/core';
import { baselineOf } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { AbsentValue } from '../../../components/absent-value.tsx';
import { EstimateValue } from '../../../components/reduction/estimate-value.tsx';
import { GroupBodies } from '../../../components/group-bodies.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { Term } from '../../../components/terms/term.tsx';
import { formatNumber } from '../../../format/format-number.ts';
import { explainAbsence } from '../scenarios/explain-absence.ts';
import { explainNoReduction } from '../scenarios/explain-no-reduction.ts';
import { ReductionValue } from '../scenarios/reduction-value.tsx';
import type { UrlRow } from './url-rows.ts';

interface UrlReductionsProps {
  row: UrlRow;
  comparison: Pick<Comparison, 'scenarios' | 'baseline' | 'groups' | 'confidence' | 'absences'>;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
}

/** One URL in each Scenario against the baseline, with what the table of all URLs has no room for. */
export function UrlReductions({ row, comparison, metric, styles }: UrlReductionsProps) {
  const { scenarios, groups, confidence } = comparison;
  const cells = [...row.cells.values()];
  const absences = comparison.absences.filter((each) => each.metric === metric.metric);
  const verdicts = new Map(metric.scenarios.map((each) => [each.scenario, each.contrast?.verdict]));
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table w="auto" aria-label="The URL by Scenario">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Term of="scenario">Scenario</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="mean">Mean</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="reduction">Reduction vs baseline</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="block">Blocks</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="correctedP">p, corrected</Term>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <GroupBodies groups={groups} items={scenarios} scenarioOf={(scenario) => scenario} columns={5}>
          {(scenario) => {
            const baseline = baselineOf(comparison, scenario);
            const { estimate = null, reduction = null } = row.cells.get(scenario) ?? {};
            const absence =
              scenario === baseline
                ? 'The others are compared with the baseline.'
                : (explainNoReduction(cells, { scenario, baseline, absences, verdict: verdicts.get(scenario) }) ?? '');
            return (
              <Table.Tr key={scenario}>
                <Table.Th scope="row">
                  <ScenarioName name={scenario} style={styles.get(scenario)} isBaseline={scenario === baseline} />
                </Table.Th>
                <Table.Td className="numeric">
                  <EstimateValue
                    estimate={estimate}
                    absence={explainAbsence(row.cells.get(scenario) ?? null, {
                      absences: absences.filter((each) => each.scenario === scenario),
                    })}
                  />
                </Table.Td>
                <Table.Td className="numeric">
                  {reduction ? (
                    <ReductionValue reduction={reduction} confidence={confidence} />
                  ) : (
                    <AbsentValue reason={absence} />
                  )}
                </Table.Td>
                <Table.Td className="numeric">{reduction && formatNumber(reduction.blocks)}</Table.Td>
                <Table.Td className="numeric">{reduction && <CorrectedP p={reduction.adjustedP} />}</Table.Td>
              </Table.Tr>
            );
          }}
        </GroupBodies>
      </Table>
    </Table.ScrollContainer>
  );
}

function CorrectedP({ p }: { p: number | null }) {
  if (p === null) return <AbsentValue reason="One Block gives no p." />;
  return p < 0.001 ? '< 0.001' : formatNumber(p, 3);
}
