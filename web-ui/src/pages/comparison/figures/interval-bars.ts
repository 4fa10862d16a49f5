import type { ChartConfiguration } from 'chart.js';
import type { Estimate } from '#core/comparison/estimate.ts';
import type { ChartInks } from '../../../components/chart-inks.ts';
import { valueAxis } from './value-axis.ts';

/** Bars of one kind, one for each category. */
interface BarSeries {
  label: string;
  estimates: (Estimate | null)[];
  /** One of all its bars, or one of each. */
  colours: string | string[];
}

interface IntervalBars {
  title: string;
  categories: string[];
  series: BarSeries[];
  format: (value: number) => string;
  /** Of the axis. By default, ticks have the decimals that distinguish them. */
  formatTick?: (value: number) => string;
}

/** How Chart.js draws means with their intervals as bars, the series of a category side by side. */
export function describeIntervalBars(
  { title, categories, series, format, formatTick }: IntervalBars,
  inks: ChartInks,
): ChartConfiguration {
  return {
    type: 'barWithErrorBars',
    data: {
      labels: categories,
      datasets: series.map(({ label, estimates, colours }) => ({
        label,
        data: estimates.map((estimate) => placeBar(estimate)),
        backgroundColor: colours,
        errorBarColor: inks.text,
        errorBarWhiskerColor: inks.text,
        maxBarThickness: 56,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: { grid: { display: false }, ticks: { color: inks.text }, border: { color: inks.line } },
        y: valueAxis({ title, inks, ...(formatTick && { format: formatTick }) }),
      },
      plugins: {
        tooltip: {
          callbacks: {
            label: ({ dataset, datasetIndex, dataIndex }) =>
              [
                ...(series.length > 1 ? [dataset.label] : []),
                describeEstimate(series[datasetIndex]?.estimates[dataIndex] ?? null, format),
              ].join(': '),
          },
        },
      },
    },
  };
}

/** A bar without a mean is not drawn. */
function placeBar(estimate: Estimate | null) {
  const { mean = Number.NaN, halfWidth = null } = estimate ?? {};
  // The type wants an x, which bars take from their category.
  return { y: mean, yMin: mean - (halfWidth ?? 0), yMax: mean + (halfWidth ?? 0) } as {
    x: number;
    y: number;
    yMin: number;
    yMax: number;
  };
}

function describeEstimate(estimate: Estimate | null, format: (value: number) => string): string {
  if (!estimate) return '';
  const { mean, halfWidth } = estimate;
  return halfWidth === null ? format(mean) : `${format(mean)} ± ${format(halfWidth)}`;
}
