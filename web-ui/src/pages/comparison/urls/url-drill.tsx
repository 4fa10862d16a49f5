import { Alert, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { useMemo } from 'react';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { absenceReasons } from '#core/comparison/latencies/statistic.ts';
import type { Cell, Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { useIsAlone } from '../../../components/report-place.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { MeasuredUrl } from '../../../components/measured-url.tsx';
import { ScenarioLegend } from '../../../components/scenario/scenario-legend.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { boxFigure } from '../figures/box-figure.ts';
import { ecdfFigure } from '../figures/ecdf-figure.ts';
import { PairLinks } from './pair-links.tsx';
import { UrlReductions } from './url-reductions.tsx';
import { hasReductions, type UrlRow } from './url-rows.ts';
import { VisitList } from './visit-list.tsx';

/** Of its heading. */
export const openUrlId = 'open-url';

interface UrlDrillProps {
  row: UrlRow;
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
  userAgent: string | null;
}

/** One URL: how its Visits are distributed in each Scenario, and the Visits themselves. */
export function UrlDrill({ row, comparison, metric, styles, userAgent }: UrlDrillProps) {
  const { runId, scenarios } = comparison;
  const isAlone = useIsAlone();
  const cells = useMemo(() => scenarios.flatMap((name) => row.cells.get(name) ?? []), [scenarios, row]);
  return (
    <Stack gap="sm">
      <Title order={3} id={openUrlId} style={{ overflowWrap: 'anywhere' }}>
        <MeasuredUrl url={row.url} label={row.label} /> {userAgent !== null && `by ${userAgent}`}
      </Title>
      {!isAlone && (
        <PairLinks row={row} comparison={comparison} metric={metric} styles={styles} userAgent={userAgent} />
      )}
      {hasReductions([row]) && <UrlReductions row={row} comparison={comparison} metric={metric} styles={styles} />}
      <Distributions
        cells={cells}
        scenarios={scenarios}
        compared={comparison}
        url={row.label}
        metricLabel={nameLatency(metric.metric, comparison.countedFrom)}
        styles={styles}
      />
      {!isAlone && (
        <VisitList
          key={`${row.url} ${userAgent ?? ''}`}
          runId={runId}
          url={row.url}
          userAgent={userAgent}
          scenarios={scenarios}
          metric={metric.metric}
          from={comparison.countedFrom ?? 'navigation-start'}
        />
      )}
    </Stack>
  );
}

interface DistributionsProps {
  cells: Cell[];
  scenarios: string[];
  compared: Pick<Comparison, 'baseline' | 'groups'>;
  url: string;
  metricLabel: string;
  styles: Map<string, ScenarioStyle>;
}

function Distributions({ cells, scenarios, compared, url, metricLabel, styles }: DistributionsProps) {
  const figures = useMemo(
    () => ({
      box: boxFigure(cells, { url, metricLabel, styles }),
      ecdf: ecdfFigure(cells, { url, metricLabel, styles }),
    }),
    [cells, url, metricLabel, styles],
  );
  const missing = cells.flatMap(({ distribution }) =>
    distribution?.ecdf.kind === 'absent' ? [distribution.ecdf.reason] : [],
  );
  if (cells.every(({ distribution }) => distribution?.ecdf.kind !== 'measured')) {
    return <Alert>No distribution. {absenceReasons[missing[0] ?? 'no-values']}</Alert>;
  }
  return (
    <>
      <Group>
        <ScenarioLegend names={scenarios} styles={styles} compared={compared} />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <ChartFigure figure={figures.box} heightPx={280} />
        <ChartFigure figure={figures.ecdf} heightPx={280} />
      </SimpleGrid>
    </>
  );
}
