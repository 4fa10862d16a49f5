import { useComputedColorScheme } from '@mantine/core';
import { Chart } from 'chart.js';
import { useEffect, useRef } from 'react';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { chartHeightPx } from './chart-height.ts';
import { describeChart } from './describe-chart.ts';
import { registerChartParts } from './register-chart-parts.ts';
import type { UrlRow } from './url-rows.ts';

registerChartParts();

interface LatencyChartProps {
  rows: UrlRow[];
  scenarios: string[];
  styles: Map<string, ScenarioStyle>;
  /** The variable on the x axis; null puts the URLs there. */
  variable: string | null;
  metricLabel: string;
}

/** Latency by URL, or by a variable of the URLs: a mark per Scenario, with 95 % error bars. The table beside it says the same in figures. */
export function LatencyChart({ rows, scenarios, styles, variable, metricLabel }: LatencyChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme();

  useEffect(() => {
    const chart = new Chart(canvas.current!, describeChart({ rows, scenarios, styles, variable, metricLabel, scheme }));
    return () => chart.destroy();
  }, [rows, scenarios, styles, variable, metricLabel, scheme]);

  return (
    <div style={{ position: 'relative', height: chartHeightPx }}>
      <canvas ref={canvas} role="img" aria-label={`Chart of ${metricLabel} by ${variable ?? 'URL'} with 95 % intervals. The table below has the same figures.`} />
    </div>
  );
}
