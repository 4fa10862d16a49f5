import { lowerFirst } from '#core/comparison/findings/finding-words.ts';
import type { ScenarioTrend } from '#core/comparison/outcome/summarise-trend.ts';
import { catalogue } from '#core/metrics/index.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { ratioAxis, scaleReductions, type ReductionScale } from '../../../figures/arranged-axes.ts';
import { describeReduction, formatPercent, formatReduction } from '../../../format/format-ratios.ts';
import { describePlot } from '../../../figures/describe-plot.ts';
import { dodgeOf } from '../../../figures/dodge-marks.ts';
import type { PlotAxis, PlotLayer } from '../../../figures/plot.ts';
import type { ArrangedTrend, TrendAxis, TrendPlace } from '#core/trend/arrange-trend.ts';
import type { TrendChange } from '#core/trend/find-trend-changes.ts';
import { formatMs } from '../../../format/format-times.ts';

/** How far the Runs of one value stand from each other, at most, of the distance between values. */
const spread = 0.5;

interface PlacedRuns {
  /** In the order of the places. */
  positions: number[];
  /** By how much the marks of the Scenarios of a Run are moved apart, as a factor of `dodgeOf`. */
  dodge: number;
  axis: PlotAxis;
}

/** What of each Scenario is drawn. */
export type TrendQuantity = 'reduction' | 'mean';

interface TrendFigureOptions {
  axis: TrendAxis;
  quantity: TrendQuantity;
  styles: Map<string, ScenarioStyle>;
  /** Drawn over the reductions by date. */
  changes?: readonly TrendChange[];
  /** A line across the reductions. */
  threshold?: number | null;
  onOpen: (runId: string) => void;
}

/**
 * The reduction or the mean latency of each Scenario over the Runs of an Evaluation, with intervals. Marks of Runs with other settings or definitions than the newest are hollow,
 * and no line joins Runs of different definitions.
 */
export function trendFigure(
  { metric, places, scenarios }: ArrangedTrend,
  { axis, quantity, styles, changes = [], threshold = null, onOpen }: TrendFigureOptions,
): Figure {
  const { label } = catalogue[metric];
  const title = quantity === 'reduction' ? `Reduction of ${lowerFirst(label)} by Run` : `${label} by Run`;
  const shown = quantity === 'reduction' ? scenarios.filter(({ baseline }) => !baseline) : scenarios;
  const xOf = placeRuns(places, axis);
  const series = shown.map(({ name }, order) => ({
    name,
    points: places.flatMap((place, index) => {
      const measured = measure(place.scenarios.get(name), quantity);
      return measured === null
        ? []
        : [{ place, x: xOf.positions[index]! + dodgeOf(order, shown.length) * xOf.dodge, ...measured }];
    }),
  }));
  const points = series.flatMap((each) => each.points);
  const scale = quantity === 'reduction' ? scaleReductions(points.map(({ y }) => y)) : null;
  const toAxis = scale?.toAxis ?? ((value: number) => value);
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
    describe: describePlot(() => ({
      x: xOf.axis,
      y: {
        kind: 'numbers',
        ...(scale
          ? { title: 'Reduction vs baseline', format: formatPercent, canBeNegative: true }
          : { title: label, unit: 'ms' as const }),
        ...(scale?.isRatio && {
          title: `${label}, × the baseline`,
          ...ratioAxis(
            [
              ...points.flatMap(({ y, yMin, yMax }) => [yMin ?? y, yMax ?? y]),
              ...(threshold === null ? [] : [threshold]),
            ].map(toAxis),
          ),
        }),
      },
      layers: [
        ...series.map(({ name, points }): PlotLayer => ({
          kind: 'points',
          label: labelScenario(name, styles),
          // Its marks say it behind their Run.
          name: '',
          look: styles.get(name)!,
          marks: points.map(({ place, x, y, yMin, yMax }, index) => {
            const ends = [toAxis(yMin ?? y), toAxis(yMax ?? y)];
            return {
              ...{ x, y: toAxis(y), yMin: Math.min(...ends), yMax: Math.max(...ends) },
              text: `Run ${place.runId}, ${name}: ${describeMeasured({ y, yMin, yMax }, quantity)}`,
              isHollow: isHollow(place),
              startsLine: index > 0 && points[index - 1]!.place.definitions !== place.definitions,
              open: () => onOpen(place.runId),
            };
          }),
          // Only time is a course. Versions and labels are places beside each other.
          ...(axis === 'date' && { isJoined: true, linePx: 1 }),
        })),
        ...(axis === 'date' && scale ? drawChanges(changes, { styles, scale }) : []),
        ...(threshold !== null && scale ? [drawThreshold(threshold, { positions: xOf.positions, scale })] : []),
      ],
      reads: 'nearest',
    })),
  };
}

function drawThreshold(
  threshold: number,
  { positions, scale }: { positions: readonly number[]; scale: ReductionScale },
): PlotLayer {
  const ends = [Math.min(...positions), Math.max(...positions)];
  return {
    kind: 'line',
    label: `threshold, ${formatPercent(threshold)}`,
    colour: null,
    widthPx: 1.5,
    dash: [2, 3],
    marks: ends.map((x) => ({ x, y: scale.toAxis(threshold) })),
  };
}

/** Of each Scenario the levels as steps, and on each step a bar that is as wide as the interval of its place. */
function drawChanges(
  changes: readonly TrendChange[],
  { styles, scale: { toAxis } }: { styles: Map<string, ScenarioStyle>; scale: ReductionScale },
): PlotLayer[] {
  return [...Map.groupBy(changes, ({ scenario }) => scenario)].flatMap(([scenario, own]): PlotLayer[] => {
    const { colour } = styles.get(scenario)!;
    const [first, last] = [own[0]!, own.at(-1)!];
    return [
      {
        kind: 'line',
        label: `${scenario}, level`,
        colour,
        widthPx: 2,
        dash: [6, 4],
        marks: [
          { x: timeOf(first.runs.before[0]!), y: toAxis(first.before) },
          ...own.flatMap(({ at, before }, index) => [
            { x: middleOf(at), y: toAxis(before) },
            { x: middleOf(at), y: toAxis(own[index + 1]?.before ?? last.after) },
          ]),
          { x: timeOf(last.runs.after.at(-1)!), y: toAxis(last.after) },
        ],
      },
      {
        kind: 'points',
        label: `${scenario}, change`,
        name: '',
        look: { colour, shape: 'crossRot' },
        marks: own.map(({ at, earliest, latest, before, after }) => ({
          x: middleOf(at),
          xMin: middleOf(earliest),
          xMax: middleOf(latest),
          y: toAxis((before + after) / 2),
          text: `${scenario}: from ${nameReduction(before)} to ${nameReduction(after)} between Runs ${at.before.runId} and ${at.after.runId}`,
        })),
      },
    ];
  });
}

const timeOf = ({ startedAt }: TrendPlace) => Date.parse(startedAt);
const middleOf = ({ before, after }: TrendChange['at']) => (timeOf(before) + timeOf(after)) / 2;

const nameReduction = (ratio: number) => describeReduction({ ratio, low: null, high: null }).shown;

interface MeasuredQuantity {
  y: number;
  yMin: number | null;
  yMax: number | null;
}

/** `27 % less (24 to 30 %)`, or `412 ms (400 ms to 424 ms)`. */
export function describeMeasured({ y, yMin, yMax }: MeasuredQuantity, quantity: TrendQuantity): string {
  if (quantity === 'reduction') return formatReduction({ ratio: y, low: yMin, high: yMax });
  return yMin === null || yMax === null ? formatMs(y) : `${formatMs(y)} (${formatMs(yMin)} to ${formatMs(yMax)})`;
}

/** A value and its interval; null where the Run has none. */
export function measure(scenario: ScenarioTrend | undefined, quantity: TrendQuantity): MeasuredQuantity | null {
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

/** Where Runs stand on the x axis: by date at their time, else side by side at their value. */
export function placeRuns(places: readonly TrendPlace[], axis: TrendAxis): PlacedRuns {
  if (axis === 'date') {
    const positions = places.map(({ startedAt }) => Date.parse(startedAt));
    return { positions, dodge: 0, axis: { kind: 'times', epochMs: positions } };
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
    axis: { kind: 'places', names: values.map((value) => value || 'without') },
  };
}
