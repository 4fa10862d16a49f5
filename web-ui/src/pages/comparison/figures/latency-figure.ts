import type { ChartConfiguration } from 'chart.js';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario-style.ts';
import { formatConfidence } from '../../../format/format-confidence.ts';
import { decimalsOfMs, formatMs } from '../../../format/format-ms.ts';
import { formatNumber } from '../../../format/format-number.ts';
import type { UrlRow } from '../url-rows.ts';
import { dodgeOf, scenarioMarks } from './scenario-marks.ts';
import { placeAxis, valueAxis } from './value-axis.ts';

export interface LatencyFigureOptions {
  rows: UrlRow[];
  scenarios: string[];
  baseline: string;
  styles: Map<string, ScenarioStyle>;
  /** The variable on the x axis; null puts the URLs there. */
  variable: string | null;
  metricLabel: string;
  confidence: number;
  userAgent: string | null;
}

interface Point {
  x: number;
  y: number;
  yMin: number;
  yMax: number;
  label: string;
  halfWidth: number | null;
}

/** The papers' figure: latency by URL, or by a variable of the URLs, a mark per Scenario with error bars. */
export function latencyFigure({
  rows,
  scenarios,
  baseline,
  styles,
  variable,
  metricLabel,
  confidence,
  userAgent,
}: LatencyFigureOptions): Figure {
  const title = `${metricLabel} by ${variable ?? 'URL'}${userAgent === null ? '' : ` of ${userAgent}`}, with ${formatConfidence(confidence)} intervals`;
  const decimals = rows.every(({ variables }) => variable === null || Number.isInteger(variables[variable] ?? 0))
    ? 0
    : 3;
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'URL' },
        ...(variable === null ? [] : [{ label: variable, decimals }]),
        ...scenarios.flatMap((name) => [
          { label: name, unit: 'ms' },
          { label: `${name} ±`, unit: 'ms' },
        ]),
      ],
      rows: rows.map((row) => [
        row.url,
        ...(variable === null ? [] : [row.variables[variable] ?? null]),
        ...scenarios.flatMap((name) => {
          const estimate = row.cells.get(name)?.estimate;
          return [estimate?.mean ?? null, estimate?.halfWidth ?? null];
        }),
      ]),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'scatterWithErrorBars',
      data: {
        datasets: scenarios.map((scenario, order) => ({
          label: labelScenario(scenario, styles),
          data: placePoints(rows, {
            scenario,
            variable,
            offset: variable === null ? dodgeOf(order, scenarios.length) : 0,
          }),
          showLine: variable !== null,
          // A higher order is drawn earlier: the baseline lies under the others.
          order: scenario === baseline ? 1 : 0,
          ...scenarioMarks(styles.get(scenario)!),
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        // As much as a mark at the edge needs; an interval that reaches below zero ends there.
        clip: 8,
        interaction: { mode: 'nearest', intersect: false },
        scales: {
          x:
            variable === null
              ? placeAxis(
                  rows.map(({ label }) => label),
                  inks,
                )
              : { ...valueAxis({ title: variable, inks, canBeNegative: true }), grid: { display: false } },
          y: valueAxis({ title: `${metricLabel}, ms`, inks }),
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
    }),
  };
}

function placePoints(rows: UrlRow[], place: { scenario: string; variable: string | null; offset: number }): Point[] {
  const points = rows.flatMap((row, index): Point[] => {
    const estimate = row.cells.get(place.scenario)?.estimate;
    if (!estimate) return [];
    const x = place.variable === null ? index + 1 + place.offset : row.variables[place.variable]!;
    const { mean, halfWidth } = estimate;
    return [{ x, y: mean, yMin: mean - (halfWidth ?? 0), yMax: mean + (halfWidth ?? 0), label: row.label, halfWidth }];
  });
  return points.toSorted((a, b) => a.x - b.x);
}

function describePoint({ y, halfWidth }: Point): string {
  return halfWidth === null
    ? `${formatMs(y)}, no interval`
    : `${formatMs(y)} ± ${formatNumber(halfWidth, decimalsOfMs(y))}`;
}
