import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { compareMeasures } from '#core/figures/compare-measures.ts';
import type { Measurements } from '#core/figures/measurements.ts';
import { catalogue, type MetricId } from '#core/metrics/catalogue.ts';
import { measurementsQuery } from '../../api/queries.ts';
import { useIsOffline } from '../../app/report-place.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { ScenarioName } from '../../components/scenario-name.tsx';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/term.tsx';
import { CountedCell } from './counted-cell.tsx';

const shown = [
  'firstContentfulPaintMs',
  'largestContentfulPaintMs',
  'speedIndexMs',
  'visuallyComplete85Ms',
  'visuallyComplete95Ms',
  'visuallyComplete100Ms',
  'cumulativeLayoutShift',
  'totalBlockingMs',
] as const satisfies MetricId[];
const metricWidthPx = 220;
const scenarioWidthPx = 170;

interface RenderingSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** What users saw, and when, by Scenario: beside what is tested. Not there where no Visit has any of it. */
export function RenderingSection({ comparison, styles }: RenderingSectionProps) {
  const { runId, countedFrom } = comparison;
  const isOffline = useIsOffline();
  const query = useQuery({
    ...measurementsQuery(runId, isOffline ? { measures: null, from: countedFrom } : { measures: shown }),
    enabled: !isOffline,
  });
  if (isOffline && query.data === undefined) return null;
  const isKnown = query.data === undefined || shown.some((metric) => query.data.available.includes(metric));
  if (!isKnown) return null;
  return (
    <Section id="rendering" title="Rendering">
      <QueryContent query={query} what="Rendering">
        {(measurements) => <RenderingTable measurements={measurements} comparison={comparison} styles={styles} />}
      </QueryContent>
    </Section>
  );
}

function RenderingTable({ measurements, comparison, styles }: RenderingSectionProps & { measurements: Measurements }) {
  const { available, leftOut } = measurements;
  const metrics = useMemo(() => shown.filter((metric) => available.includes(metric)), [available]);
  const rows = useMemo(() => compareMeasures(measurements, metrics), [measurements, metrics]);
  if (leftOut !== null) return <Text size="sm">{leftOut}</Text>;
  return (
    <>
      <Table.ScrollContainer minWidth={metricWidthPx + scenarioWidthPx * rows.length}>
        <Table w="auto" aria-label="Rendering by Scenario">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={metricWidthPx}>Mean per Visit</Table.Th>
              {rows.map(({ scenario }) => (
                <Table.Th key={scenario} className="numeric" w={scenarioWidthPx}>
                  <ScenarioName
                    name={scenario}
                    style={styles.get(scenario)}
                    isBaseline={isBaseline(comparison, scenario)}
                  />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {metrics.map((metric) => (
              <Table.Tr key={metric}>
                <Table.Th scope="row">
                  <Term metric={metric} />
                </Table.Th>
                {rows.map(({ scenario, values }) => (
                  <Table.Td key={scenario} className="numeric">
                    <CountedCell unit={catalogue[metric].unit} value={values[metric]} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        Exploratory: intervals are not corrected for the number of metrics. Below each mean, the change from the
        baseline.{!metrics.includes('speedIndexMs') && ' Speed Index and visual completeness need filmstrips.'}
      </Text>
    </>
  );
}
