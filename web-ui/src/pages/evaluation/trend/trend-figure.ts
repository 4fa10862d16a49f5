import type { ChartConfiguration } from 'chart.js';
import type { ScenarioTrend } from '#core/comparison/outcome/run-trend.ts';
import { catalogue } from '#core/metrics/index.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatMs } from '../../../format/format-ms.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { scenarioMarks } from '../../../figures/describe-plot.ts';
import { dodgeOf } from '../../../figures/dodge-marks.ts';
import { valueAxis, placeAxis } from '../../../figures/plot-axes.ts';
import type { ArrangedTrend, TrendAxis, TrendPlace } from './arrange-trend.ts';
import type { ChartInks } from '../../../components/chart-inks.ts';
import { formatTime } from '../../../format/format-times.ts';

const dayMs = 86_400_000;
const mostTicks = 6;
/** How far the Runs of one value stand from each other, at most, of the distance between values. */
const spread = 0.5;

interface PlacedRuns {
  /** In the order of the places. */
  positions: number[];
  /** By how much the marks of the Scenarios of a Run are moved apart, as a factor of `dodgeOf`. */
  dodge: number;
  describeAxis: (inks: ChartInks) => ReturnType<typeof placeAxis> | ReturnType<typeof dateAxis>;
}

const markRadius = 5;

/** What of each Scenario is drawn. */
export type TrendQuantity = 'reduction' | 'mean';

interface TrendFigureOptions {
  axis: TrendAxis;
  quantity: TrendQuantity;
  styles: Map<string, ScenarioStyle>;
  onOpen: (runId: string) => void;
}

/**
 * The reduction or the mean latency of each Scenario over the Runs of an Evaluation, with intervals. Marks of Runs with other settings or definitions than the newest are hollow,
 * and no line joins Runs of different definitions.
 */
export function trendFigure(
  { metric, places, scenarios }: ArrangedTrend,
  { axis, quantity, styles, onOpen }: TrendFigureOptions,
): Figure {
  const { label } = catalogue[metric];
  const title = quantity === 'reduction' ? `Reduction of ${lowerFirst(label)} by Run` : `${label} by Run`;
  const shown = quantity === 'reduction' ? scenarios.filter(({ baseline }) => !baseline) : scenarios;
  const xOf = placeRuns(places, axis);
  const format = quantity === 'reduction' ? formatPercent : formatMs;
  const series = shown.map(({ name }, order) => ({
    name,
    points: places.flatMap((place, index) => {
      const measured = measure(place.scenarios.get(name), quantity);
      return measured === null
        ? []
        : [{ place, x: xOf.positions[index]! + dodgeOf(order, shown.length) * xOf.dodge, ...measured }];
    }),
  }));
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Run' },
        { label: 'started' },
        { label: nameAxis(axis) },
        { label: 'settings' },
        { label: 'metric definitions' },
        { label: 'Scenario' },
        ...(quantity === 'reduction'
          ? [
              { label: 'Reduction', unit: '%' },
              { label: 'low', unit: '%' },
              { label: 'high', unit: '%' },
            ]
          : [
              { label, unit: 'ms' },
              { label: 'low', unit: 'ms' },
              { label: 'high', unit: 'ms' },
            ]),
      ],
      rows: series.flatMap(({ name, points }) =>
        points.map(({ place, y, yMin, yMax }) => {
          const scaled = (value: number | null) =>
            value === null ? null : quantity === 'reduction' ? value * 100 : value;
          return [
            place.runId,
            place.startedAt,
            place.value,
            place.settings,
            place.definitions,
            name,
            scaled(y),
            scaled(yMin),
            scaled(yMax),
          ];
        }),
      ),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'scatterWithErrorBars',
      data: {
        datasets: series.map(({ name, points }) => {
          const style = styles.get(name)!;
          return {
            label: labelScenario(name, styles),
            data: points.map(({ x, y, yMin, yMax }) => ({ x, y, yMin: yMin ?? y, yMax: yMax ?? y })),
            ...scenarioMarks(style, inks),
            backgroundColor: points.map(({ place }) => (isHollow(place) ? 'transparent' : inks.shade(style.colour))),
            radius: markRadius,
            // Only time is a course. Versions and labels are places beside each other.
            showLine: axis === 'date',
            borderWidth: axis === 'date' ? 1 : 2,
            segment: {
              borderColor: ({ p0DataIndex, p1DataIndex }) =>
                points[p0DataIndex]!.place.definitions === points[p1DataIndex]!.place.definitions
                  ? undefined
                  : 'transparent',
            },
          };
        }),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'nearest', intersect: false },
        onClick: (_event, [element]) => {
          const point = element && series[element.datasetIndex]?.points[element.index];
          if (point) onOpen(point.place.runId);
        },
        scales: {
          x: xOf.describeAxis(inks),
          y: valueAxis({
            title: quantity === 'reduction' ? 'reduction vs baseline' : `${label}, ms`,
            inks,
            ...(quantity === 'reduction' && { format: formatPercent }),
            canBeNegative: quantity === 'reduction',
          }),
        },
        plugins: {
          tooltip: {
            callbacks: {
              title: () => '',
              label: ({ datasetIndex, dataIndex }) => {
                const { name, points } = series[datasetIndex]!;
                const { place, y, yMin, yMax } = points[dataIndex]!;
                const interval = yMin === null || yMax === null ? '' : ` (${format(yMin)} to ${format(yMax)})`;
                return `Run ${place.runId}, ${name}: ${format(y)}${interval}`;
              },
            },
            usePointStyle: true,
            boxPadding: 6,
          },
        },
      },
    }),
  };
}

/** A value and its interval; null where the Run has none. */
export function measure(
  scenario: ScenarioTrend | undefined,
  quantity: TrendQuantity,
): { y: number; yMin: number | null; yMax: number | null } | null {
  if (!scenario) return null;
  const { meanMs, halfWidthMs, reduction } = scenario;
  if (quantity === 'reduction') return reduction && { y: reduction.ratio, yMin: reduction.low, yMax: reduction.high };
  if (meanMs === null) return null;
  return {
    y: meanMs,
    yMin: halfWidthMs === null ? null : meanMs - halfWidthMs,
    yMax: halfWidthMs === null ? null : meanMs + halfWidthMs,
  };
}

export function nameAxis(axis: TrendAxis): string {
  if (axis === 'date') return 'date';
  return axis === 'engine' ? 'engine version' : axis.slice('label:'.length);
}

/** Whether the figure shows this Run as one with other settings or definitions. */
export const isHollow = ({ hasNewestSettings, hasNewestDefinitions }: TrendPlace) =>
  !hasNewestSettings || !hasNewestDefinitions;

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Where Runs stand on the x axis: by date at their time, else side by side at their value. */
export function placeRuns(places: readonly TrendPlace[], axis: TrendAxis): PlacedRuns {
  if (axis === 'date') {
    const positions = places.map(({ startedAt }) => Date.parse(startedAt));
    return { positions, dodge: 0, describeAxis: (inks) => dateAxis(positions, inks) };
  }
  const groups = Map.groupBy(places, ({ value }) => value);
  const values = [...groups.keys()];
  const mostAlike = Math.max(...[...groups.values()].map(({ length }) => length));
  const positions = places.map((place) => {
    const alike = groups.get(place.value)!;
    const offset = (alike.indexOf(place) + 0.5) / alike.length - 0.5;
    return values.indexOf(place.value) + 1 + offset * spread;
  });
  return {
    positions,
    dodge: (spread / mostAlike) * 1.5,
    describeAxis: (inks) =>
      placeAxis(
        values.map((value) => value || 'without'),
        inks,
      ),
  };
}

/** Times. Ticks are days, or minutes where all Runs are of one or two days. */
function dateAxis(positions: readonly number[], inks: ChartInks) {
  const first = Math.min(...positions);
  const last = Math.max(...positions);
  const margin = Math.max((last - first) * 0.04, 60_000);
  const isShort = last - first < 2 * dayMs;
  const count = Math.min(mostTicks, Math.max(1, new Set(positions).size));
  return {
    type: 'linear' as const,
    min: first - margin,
    max: last + margin,
    border: { color: inks.line },
    grid: { display: false },
    ticks: {
      color: inks.text,
      maxRotation: 0,
      callback: (value: string | number) =>
        formatTime(new Date(Number(value)).toISOString()).slice(0, isShort ? 16 : 10),
    },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = Array.from({ length: count }, (_, index) => ({
        value: count === 1 ? first : first + ((last - first) * index) / (count - 1),
      }));
    },
  };
}
