import { useMemo } from 'react';
import { ChartFigure } from '../../components/chart/chart-figure.tsx';
import { ScenarioLegend } from '../../components/scenario-legend.tsx';
import { latencyFigure, type LatencyFigureOptions } from './figures/latency-figure.ts';

/** Latency by URL, or by a variable of the URLs: a mark per Scenario, with error bars. */
export function LatencyChart({
  baseline,
  rows,
  scenarios,
  styles,
  variable,
  metricLabel,
  confidence,
  userAgent,
}: LatencyFigureOptions) {
  const figure = useMemo(
    () => latencyFigure({ rows, scenarios, baseline, styles, variable, metricLabel, confidence, userAgent }),
    [rows, scenarios, baseline, styles, variable, metricLabel, confidence, userAgent],
  );
  return (
    <ChartFigure
      figure={figure}
      heightPx={380}
      legend={<ScenarioLegend names={scenarios} styles={styles} baseline={baseline} />}
    />
  );
}
