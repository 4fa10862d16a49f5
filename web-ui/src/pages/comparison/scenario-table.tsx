import { Table, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import type { MetricComparison, ScenarioComparison } from '#core/statistics/comparison.ts';
import { flags } from '#core/statistics/flag.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { Defined } from '../../components/defined.tsx';
import { EstimateValue } from '../../components/estimate-value.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { Term } from '../../components/term.tsx';
import { formatConfidence } from '../../format/format-confidence.ts';
import { formatCount } from '../../format/format-count.ts';
import { formatNumber } from '../../format/format-number.ts';
import { countMissingUrls } from './count-missing-urls.ts';
import { explainAbsence } from './explain-absence.ts';
import { ReductionPlot } from './reduction-plot.tsx';
import { reductionExtent } from './reduction-extent.ts';
import { ReductionValue } from './reduction-value.tsx';

interface ScenarioTableProps {
  metric: MetricComparison;
  /** Of the intervals. */
  confidence: number;
  styles: Map<string, ScenarioStyle>;
}

/** Each Scenario in one row: its mean, and how much less than the baseline it is. */
export function ScenarioTable({ metric, confidence, styles }: ScenarioTableProps) {
  const extent = reductionExtent(metric.scenarios);
  return (
    <Table.ScrollContainer minWidth={900}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Term of="scenario">Scenario</Term>
            </Table.Th>
            <Table.Th className="numeric">
              Mean <Term of="interval">± {formatConfidence(confidence)}</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="reduction">Reduction v baseline</Term>
            </Table.Th>
            <Table.Th w={220}>
              <VisuallyHidden>Reduction, drawn</VisuallyHidden>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="visit">Visits</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="failedVisit">Failed</Term>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {metric.scenarios.map((scenario) => (
            <Table.Tr key={scenario.scenario}>
              <Table.Th scope="row">
                <ScenarioName name={scenario.scenario} style={styles.get(scenario.scenario)} isBaseline={scenario.isBaseline} />
                <Flags scenario={scenario} />
              </Table.Th>
              <Table.Td className="numeric">
                <EstimateValue estimate={scenario.estimate} absence={explainAbsence(scenario)} />
                <MissingUrls metric={metric} scenario={scenario.scenario} />
              </Table.Td>
              <Table.Td className="numeric">
                <Reduction scenario={scenario} confidence={confidence} />
              </Table.Td>
              <Table.Td>
                <ReductionPlot reduction={scenario.reduction} isBaseline={scenario.isBaseline} colour={styles.get(scenario.scenario)?.colour} extent={extent} />
              </Table.Td>
              <Table.Td className="numeric">{formatNumber(scenario.visits)}</Table.Td>
              <Table.Td className="numeric">
                <Text span inherit c={scenario.failedVisits > 0 ? 'var(--mantine-color-error)' : 'inherit'}>
                  {formatNumber(scenario.failedVisits)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function MissingUrls({ metric, scenario }: { metric: MetricComparison; scenario: string }) {
  const { missing, all } = countMissingUrls(metric, scenario);
  if (missing === 0) return null;
  return (
    <Tooltip label="The means of all Scenarios leave a page out that one of them has no value of, so that they are means of the same pages. The reduction compares the pages that both have.">
      <Text size="xs" c="var(--mantine-color-error)" tabIndex={0}>
        no value of {missing} of {formatCount(all, 'URL')}
      </Text>
    </Tooltip>
  );
}

function Reduction({ scenario, confidence }: { scenario: ScenarioComparison; confidence: number }) {
  if (scenario.reduction) return <ReductionValue reduction={scenario.reduction} confidence={confidence} />;
  return <AbsentValue reason={scenario.isBaseline ? 'The baseline is what the others are compared with.' : 'No Block has a value of both Scenarios.'} />;
}

/** What to know before believing the interval. */
function Flags({ scenario: { distribution, contrast } }: { scenario: ScenarioComparison }) {
  const raised = [...new Set([...(distribution?.flags ?? []), ...(contrast?.flags ?? [])])];
  if (raised.length === 0) return null;
  return (
    <Text size="xs" fw={400} c="dimmed">
      {raised.map((flag, index) => (
        <span key={flag}>
          {index > 0 && ', '}
          <Defined definition={flags[flag].explanation}>{flags[flag].label}</Defined>
        </span>
      ))}
    </Text>
  );
}
