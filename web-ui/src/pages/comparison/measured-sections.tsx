import type { Comparison } from '#core/comparison/comparison.ts';
import { listSection, type MetricId, catalogue } from '#core/metrics/index.ts';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isBaseline } from '#core/comparison/compared-group.ts';
import { compareMeasures, type ComparedScenario } from '#web-ui/src/figures/compare-measures.ts';
import type { Measurements } from '#core/record/measurements.ts';
import { measurementsQuery } from '../../api/queries.ts';
import { useIsOffline } from '../../components/report-place.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { Term } from '../../components/terms/term.tsx';
import { Folded } from '../../components/folded.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { CountedCell, formatContrast } from './network/counted-cell.tsx';

const metricWidthPx = 220;
const scenarioWidthPx = 170;

interface MeasuresSectionProps {
  id: string;
  title: string;
  metrics: readonly MetricId[];
  /** What more there is to say; given the metrics that there are. */
  remarkOn?: (available: readonly MetricId[]) => string;
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

const ofRendering = listSection('rendering');
const ofTasks = listSection('tasks');

interface SectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** What users saw, and when. */
export function RenderingSection(props: SectionProps) {
  return (
    <MeasuresSection
      {...props}
      id="rendering"
      title="Rendering"
      metrics={ofRendering}
      remarkOn={(available) =>
        available.includes('speedIndexMs') ? '' : 'Speed Index and visual completeness need filmstrips.'
      }
    />
  );
}

/** What pages did after they had loaded. */
export function TasksSection(props: SectionProps) {
  return <MeasuresSection {...props} id="tasks" title="Tasks and messages" metrics={ofTasks} />;
}

/** The means of some metrics by Scenario: beside what is tested. Not there where no Visit has any of them. */
function MeasuresSection({ id, title, metrics: shown, ...rest }: MeasuresSectionProps) {
  const { comparison } = rest;
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
    <QueryContent query={query} what={title}>
      {(measurements) => <MeasuresTable {...rest} id={id} title={title} shown={shown} measurements={measurements} />}
    </QueryContent>
  );
}

function MeasuresTable({
  id,
  title,
  shown,
  remarkOn,
  measurements,
  comparison,
  styles,
}: Omit<MeasuresSectionProps, 'metrics'> & { shown: readonly MetricId[]; measurements: Measurements }) {
  const { available, leftOut } = measurements;
  const metrics = useMemo(() => shown.filter((metric) => available.includes(metric)), [shown, available]);
  const rows = useMemo(() => compareMeasures(measurements, metrics), [measurements, metrics]);
  if (leftOut !== null) return <Text size="sm">{leftOut}</Text>;
  return (
    <Folded
      summary={
        <>
          <strong id={id}>{title}</strong>: {summariseChanges(rows, metrics)}
        </>
      }
    >
      <Table.ScrollContainer minWidth={metricWidthPx + scenarioWidthPx * rows.length}>
        <Table w="auto" aria-label={`${title} by Scenario`}>
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
        baseline.{remarkOn && ` ${remarkOn(metrics)}`}
      </Text>
    </Folded>
  );
}

/** Of more Scenarios, the table is to be read. */
const mostSummarised = 3;

/** What differs from the baseline, in a line: `First contentful paint 0.8 % more; no change is shown of the other 3`. */
export function summariseChanges(rows: readonly ComparedScenario<MetricId>[], metrics: readonly MetricId[]): string {
  const compared = rows.filter(({ values }) =>
    metrics.some((metric) => values[metric].kind === 'measured' && values[metric].contrast !== null),
  );
  if (compared.length === 0 || compared.length > mostSummarised)
    return `${formatCount(metrics.length, 'metric')} of ${formatCount(rows.length, 'Scenario')}`;
  return compared
    .map(({ scenario, values }) => {
      const changed = metrics.flatMap((metric) => {
        const value = values[metric];
        if (value.kind === 'absent' || !value.contrast || !excludesZero(value.contrast.difference)) return [];
        return [`${catalogue[metric].label} ${formatContrast(catalogue[metric].unit, value).replace(/ \(.*/, '')}`];
      });
      const rest = metrics.length - changed.length;
      const unchanged = rest === 0 ? [] : [`no change is shown${changed.length === 0 ? '' : ` of the other ${rest}`}`];
      return `${compared.length > 1 ? `${scenario}: ` : ''}${[...changed, ...unchanged].join('; ')}`;
    })
    .join('. ');
}

function excludesZero({ low, high }: { low: number | null; high: number | null }): boolean {
  return low !== null && high !== null && (low > 0 || high < 0);
}
