import type { ChartConfiguration } from 'chart.js';
import type { IErrorBarXYDataPoint } from 'chartjs-chart-error-bars';
import { chartInks } from '../../components/chart-inks.ts';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { decimalsOfMs, formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';
import type { UrlRow } from './url-rows.ts';

interface ChartDescription {
  rows: UrlRow[];
  scenarios: string[];
  styles: Map<string, ScenarioStyle>;
  variable: string | null;
  metricLabel: string;
  scheme: 'light' | 'dark';
}

interface Point extends IErrorBarXYDataPoint {
  label: string;
  halfWidth: number | null;
}

/** How far apart the marks of one URL stand, in units of the distance between URLs. */
const dodge = 0.14;

/** The chart as Chart.js wants to be told. URLs stand at 1, 2, 3 … on a linear axis, so that marks of different Scenarios can stand side by side. */
export function describeChart(description: ChartDescription): ChartConfiguration<'scatterWithErrorBars', Point[]> {
  const { rows, scenarios, styles, variable, metricLabel, scheme } = description;
  const ink = chartInks[scheme];
  return {
    type: 'scatterWithErrorBars',
    data: {
      datasets: scenarios.map((scenario, order) => {
        const { colour, shape } = styles.get(scenario)!;
        const offset = variable === null ? (order - (scenarios.length - 1) / 2) * Math.min(dodge, 0.7 / scenarios.length) : 0;
        return {
          label: scenario,
          data: placePoints(rows, { scenario, variable, offset }),
          showLine: variable !== null,
          borderColor: colour,
          backgroundColor: colour,
          borderWidth: 2,
          pointStyle: shape,
          pointRadius: 6.5,
          pointHoverRadius: 8,
          errorBarColor: colour,
          errorBarWhiskerColor: colour,
          errorBarLineWidth: 1.5,
          errorBarWhiskerLineWidth: 1.5,
          errorBarWhiskerSize: 8,
        };
      }),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      clip: false,
      interaction: { mode: 'nearest', intersect: false },
      scales: {
        x: {
          type: 'linear',
          title: { display: variable !== null, text: variable ?? '', color: ink.text },
          border: { color: ink.line },
          grid: { display: false },
          ...(variable === null ? urlTicks(rows, ink.text) : { ticks: { color: ink.text, precision: 0 }, grace: '4%' }),
        },
        y: {
          beginAtZero: true,
          title: { display: true, text: `${metricLabel}, ms`, color: ink.text },
          border: { display: false },
          grid: { color: ink.line },
          ticks: { color: ink.text, callback: (value) => formatNumber(Number(value)) },
        },
      },
      plugins: {
        tooltip: {
          callbacks: {
            title: (items) => (items[0]?.raw as Point | undefined)?.label ?? '',
            label: ({ dataset, raw }) => `${dataset.label ?? ''}: ${describePoint(raw as Point)}`,
          },
          usePointStyle: true,
          boxPadding: 6,
        },
      },
    },
  };
}

function placePoints(rows: UrlRow[], place: { scenario: string; variable: string | null; offset: number }): Point[] {
  const points = rows.flatMap((row, index): Point[] => {
    const estimate = row.cells.get(place.scenario)?.estimate;
    if (!estimate) return [];
    const x = place.variable === null ? index + 1 + place.offset : row.variables[place.variable]!;
    const { mean, halfWidth } = estimate;
    return [{ x, xMin: x, xMax: x, y: mean, yMin: mean - (halfWidth ?? 0), yMax: mean + (halfWidth ?? 0), label: row.label, halfWidth }];
  });
  return points.toSorted((a, b) => a.x - b.x);
}

function urlTicks(rows: UrlRow[], color: string) {
  return {
    min: 0.5,
    max: rows.length + 0.5,
    ticks: { color, stepSize: 1, autoSkip: true, maxRotation: 40, callback: (value: string | number) => shorten(rows[Number(value) - 1]?.label ?? '') },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = rows.map((_, index) => ({ value: index + 1 }));
    },
  };
}

function shorten(label: string): string {
  return label.length <= 28 ? label : `${label.slice(0, 12)}…${label.slice(-15)}`;
}

function describePoint({ y, halfWidth }: Point): string {
  return halfWidth === null ? `${formatMs(y)}, no interval` : `${formatMs(y)} ± ${formatNumber(halfWidth, decimalsOfMs(y))}`;
}
