import { Group, SimpleGrid, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { ArrangedFigure, FigureSeries } from '#core/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import type { Measurements } from '#core/figures/measurements.ts';
import { measures } from '#core/metrics/measures.ts';
import { ChartFigure } from '../../../components/chart/chart-figure.tsx';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { belowRatio, drawArranged } from './draw-arranged.ts';
import { explainFigure } from './explain-figure.ts';
import { labelPlace } from './label-dimension.ts';
import { keyOf, styleSeries } from './style-series.ts';

const panelHeightPx = 300;
const wholeHeightPx = 400;

/** The charts of a figure, with the marks of its series above them and what its numbers are below. */
export function FigurePanels({ arranged, measurements }: { arranged: ArrangedFigure; measurements: Measurements }) {
  const { design, leftOut } = measurements;
  const figures = useMemo(() => drawArranged(arranged, design), [arranged, design]);
  const styles = useMemo(() => styleSeries(arranged, design), [arranged, design]);
  const isSingle = figures.length === 1;
  if (figures.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {leftOut ??
          (arranged.leftOutPoints > 0
            ? 'A quantile of 95 % needs at least 100 Visits of a page. Choose another statistic, or measure more Rounds.'
            : `No Visit has a value of ${measures[arranged.choice.y].label}. Choose another metric.`)}
      </Text>
    );
  return (
    <>
      {!isSingle && <SeriesLegend arranged={arranged} design={design} styles={styles} />}
      <SimpleGrid cols={{ base: 1, md: isSingle ? 1 : 2 }} spacing="md">
        {figures.map((figure, index) => (
          <div key={figure.title}>
            {!isSingle && (
              <Text size="sm" fw={600}>
                {labelPlace(arranged.choice.panels, arranged.panels[index]!.values, design)}
              </Text>
            )}
            <ChartFigure
              figure={figure}
              heightPx={(isSingle ? wholeHeightPx : panelHeightPx) * (arranged.below ? belowRatio : 1)}
              legend={isSingle && <SeriesLegend arranged={arranged} design={design} styles={styles} />}
            />
          </div>
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {explainFigure(arranged, design)}
      </Text>
    </>
  );
}

interface SeriesLegendProps {
  arranged: ArrangedFigure;
  design: FigureDesign;
  styles: Map<string, ScenarioStyle>;
}

function SeriesLegend({ arranged: { choice, panels }, design, styles }: SeriesLegendProps) {
  // The rows of a heat map have their names.
  if (choice.series.length === 0 || choice.kind === 'heat') return null;
  const all = new Map<string, FigureSeries>();
  for (const series of panels.flatMap((panel) => panel.series)) all.set(keyOf(series), series);
  const baselines = new Set(design.scenarios.filter(({ isBaseline }) => isBaseline).map(({ name }) => name));
  const isOfScenarios = choice.series.length === 1 && choice.series[0] === 'scenario';
  return (
    <Group gap="lg">
      {[...all].map(([key, { values }]) => (
        <ScenarioName
          key={key}
          name={labelPlace(choice.series, values, design)}
          style={styles.get(key)}
          isBaseline={isOfScenarios && baselines.has(String(values[0]))}
        />
      ))}
    </Group>
  );
}
