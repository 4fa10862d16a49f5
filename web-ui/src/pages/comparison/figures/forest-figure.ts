import type { Plugin } from 'chart.js';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { baselineOf, groupOf, isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison, ScenarioComparison } from '#core/comparison/comparison.ts';
import { catalogue } from '#core/metrics/index.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { equivalenceBand, type EquivalenceBand } from '../../../components/reduction/reduction-extent.ts';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { ratioAxis, scaleReductions, type ReductionScale } from '../../../figures/arranged-axes.ts';
import { formatNumber } from '../../../format/format-numbers.ts';
import { formatReduction } from '../../../format/format-ratios.ts';
import { describePlot } from '../../../figures/describe-plot.ts';
import { dodgeOf } from '../../../figures/dodge-marks.ts';
import { breakLines } from '../../../figures/place-names.ts';
import type { PlotMark } from '../../../figures/plot.ts';
import type { ChartInks } from '../../../components/chart-inks.ts';
import { explainNoReduction } from '../scenarios/explain-absence.ts';

/** Marks that are not there, and the reasons to show instead, each on lines of its own. */
interface AbsentMarks {
  /** On the vertical axis, of the middle. */
  y: number;
  reasons: string[];
}

const font = { sizePx: 12, family: 'system-ui, sans-serif' };
const lineHeightPx = 15;
const marginPx = 10;

/** Each Scenario against the baseline in the three latencies: reduction and interval, or why there is none, and the band within which it would be equivalent. */
export function forestFigure(
  comparison: ForestCompared & Pick<Comparison, 'absences' | 'countedFrom'>,
  styles: Map<string, ScenarioStyle>,
): Figure {
  const { metrics, baseline, groups, absences, countedFrom } = comparison;
  const others = comparison.scenarios.filter((name) => !isBaseline(comparison, name));
  const places = placeForest(comparison);
  const headings = new Set(places.flatMap(({ metric }, index) => (metric === null ? [index] : [])));
  const of = (metric: Comparison['metrics'][number], name: string) =>
    metric.scenarios.find(({ scenario }) => scenario === name);
  const reasonOf = (metric: Comparison['metrics'][number], name: string) =>
    explainNoReduction(metric.scenarios, {
      scenario: name,
      baseline: baselineOf(comparison, name),
      absences: absences.filter((each) => each.metric === metric.metric),
      verdict: of(metric, name)?.contrast?.verdict,
    });
  const band = equivalenceBand(metrics.flatMap(({ scenarios }) => scenarios));
  const drawn = places.flatMap(({ metric, scenarios }) =>
    metric === null ? [] : scenarios.flatMap((name) => of(metric, name)?.reduction ?? []),
  );
  const scale = scaleReductions(drawn.map(({ ratio }) => ratio));
  const against = groups ? 'the baseline of the group' : baseline;
  const origin = countedFrom === 'first-request' ? ' from the first request' : '';
  const title = `Reduction of latency${origin} vs ${against}`;
  return {
    title,
    fileName: title,
    table: {
      columns: [
        ...(groups ? [{ label: 'Group' }, { label: 'Baseline' }] : []),
        { label: 'Metric' },
        { label: 'Scenario' },
        { label: 'Reduction', unit: '%' },
        { label: 'low', unit: '%' },
        { label: 'high', unit: '%' },
        { label: 'Blocks', decimals: 0 },
        { label: 'p', decimals: 4 },
        { label: 'p, corrected', decimals: 4 },
        { label: 'Difference', unit: 'ms' },
        { label: 'low', unit: 'ms' },
        { label: 'high', unit: 'ms' },
        { label: 'reason if absent' },
      ],
      rows: metrics.flatMap((metric) =>
        others.map((name) => {
          const { reduction = null, contrast = null } = of(metric, name) ?? {};
          const percent = (value: number | null | undefined) =>
            value === null || value === undefined ? null : value * 100;
          const difference = contrast?.meanDifference.kind === 'measured' ? contrast.meanDifference : null;
          return [
            ...(groups ? [groupOf(groups, name)?.name ?? '', baselineOf(comparison, name)] : []),
            nameLatency(metric.metric, countedFrom),
            name,
            percent(reduction?.ratio),
            percent(reduction?.low),
            percent(reduction?.high),
            reduction?.blocks ?? null,
            reduction?.p ?? null,
            reduction?.adjustedP ?? null,
            difference?.value ?? null,
            difference?.low ?? null,
            difference?.high ?? null,
            reasonOf(metric, name) ?? '',
          ];
        }),
      ),
    },
    describe: describePlot(() => ({
      x: {
        kind: 'numbers',
        title: `Reduction vs ${against} (right of zero: less time)`,
        format: formatTick,
        canBeNegative: true,
        strongAt: 0,
        limits: { ...(band && { suggestedMin: -1.4 * band.high, suggestedMax: 1.4 * band.high }), grace: '5%' },
        ...(scale.isRatio && {
          title: `Time vs ${against}, × (right of 1: less time)`,
          isReversed: true,
          ...ratioAxis(
            [
              0,
              ...(band ? [band.low, band.high] : []),
              ...drawn.flatMap(({ ratio, low, high }) => [low ?? ratio, high ?? ratio]),
            ].map(scale.toAxis),
          ),
        }),
      },
      y: { kind: 'places', names: places.map(({ label }) => label), headings, isReversed: true },
      layers: others.map((name) => ({
        kind: 'points',
        label: name,
        look: styles.get(name)!,
        marks: places.flatMap(({ metric, scenarios }, index) => {
          const order = scenarios.indexOf(name);
          return metric === null || order < 0
            ? []
            : placeMark(of(metric, name), { y: index + 1 + dodgeOf(order, scenarios.length), scale });
        }),
      })),
      overlays: (inks) => [
        drawBand(band && { low: scale.toAxis(band.low), high: scale.toAxis(band.high) }, inks.band),
        drawAbsences(
          places.flatMap(({ metric, scenarios, note }, index): AbsentMarks[] =>
            metric === null
              ? [{ y: index + 1, reasons: [note] }]
              : placeReasons(scenarios, { place: index + 1, reasonOf: (name) => reasonOf(metric, name) }),
          ),
          inks,
        ),
      ],
      clip: false,
      reads: 'nearest',
    })),
  };
}

const formatTick = (value: number) =>
  `${formatNumber(value * 100, Number.isInteger(Math.round(value * 1000) / 10) ? 0 : 1)} %`;

function placeMark(
  scenario: ScenarioComparison | undefined,
  { y, scale: { toAxis } }: { y: number; scale: ReductionScale },
): PlotMark[] {
  if (!scenario?.reduction) return [];
  const { ratio, low, high } = scenario.reduction;
  const ends = [toAxis(low ?? ratio), toAxis(high ?? ratio)];
  return [
    {
      x: toAxis(ratio),
      xMin: Math.min(...ends),
      xMax: Math.max(...ends),
      y,
      text: formatReduction(scenario.reduction),
    },
  ];
}

/** Why Scenarios have no mark of a metric, in the middle of where those would be. A shared reason, such as one about the baseline, appears once. */
export function placeReasons(
  names: readonly string[],
  { place, reasonOf }: { place: number; reasonOf: (name: string) => string | null },
): AbsentMarks[] {
  const absent = names.flatMap((name, order) => {
    const reason = reasonOf(name);
    return reason === null ? [] : [{ y: place + dodgeOf(order, names.length), reason }];
  });
  if (absent.length === 0) return [];
  return [
    {
      y: absent.reduce((sum, { y }) => sum + y, 0) / absent.length,
      reasons: [...new Set(absent.map(({ reason }) => reason))],
    },
  ];
}

/** Behind the marks: where a Scenario would be equivalent, as the axis has it. */
function drawBand(band: EquivalenceBand | null, colour: string): Plugin {
  return {
    id: 'equivalence',
    // Before the grid, so that the grid lies on it.
    beforeDraw: ({ ctx, chartArea, scales }) => {
      const axis = scales.x;
      if (band === null || !axis) return;
      const ends = [axis.getPixelForValue(band.low), axis.getPixelForValue(band.high)];
      const left = Math.max(chartArea.left, Math.min(...ends));
      const right = Math.min(chartArea.right, Math.max(...ends));
      ctx.save();
      ctx.fillStyle = colour;
      ctx.fillRect(left, chartArea.top, Math.max(0, right - left), chartArea.height);
      ctx.restore();
    },
  };
}

/** Writes reasons where marks would be, each in as many lines as the width needs. */
function drawAbsences(absences: readonly AbsentMarks[], inks: Pick<ChartInks, 'text' | 'paper'>): Plugin {
  return {
    id: 'absences',
    afterDatasetsDraw: ({ ctx, chartArea, scales }) => {
      const axis = scales.y;
      if (!axis || absences.length === 0) return;
      ctx.save();
      ctx.font = `italic ${font.sizePx}px ${font.family}`;
      ctx.textAlign = 'left';
      ctx.textBaseline = 'middle';
      for (const { y, reasons } of absences) {
        const lines = reasons.flatMap((reason) =>
          breakLines(reason, (text) => ctx.measureText(text).width <= chartArea.width - 2 * marginPx),
        );
        const top = axis.getPixelForValue(y) - ((lines.length - 1) * lineHeightPx) / 2;
        lines.forEach((line, index) => {
          const middle = top + index * lineHeightPx;
          // On paper, so that no line of the grid strikes it through.
          ctx.fillStyle = inks.paper;
          ctx.fillRect(
            chartArea.left + marginPx - 3,
            middle - lineHeightPx / 2,
            ctx.measureText(line).width + 6,
            lineHeightPx,
          );
          ctx.fillStyle = inks.text;
          ctx.fillText(line, chartArea.left + marginPx, middle);
        });
      }
      ctx.restore();
    },
  };
}

type ForestCompared = Pick<Comparison, 'metrics' | 'scenarios' | 'baseline' | 'groups' | 'primaryMetric'>;

/** A line of the forest plot: marks of several Scenarios in one metric or, where the metric is null, a heading. */
interface ForestPlace {
  label: string;
  metric: MetricComparison | null;
  /** Those that have a mark here. */
  scenarios: string[];
  /** Beside a heading: what the Scenarios below are compared with. */
  note: string;
}

/** With more lines than this, the plot has the primary metric only: a line for each group. */
const mostLines = 48;

/** Whether the groups are too many for all metrics. */
export function isPrimaryOnly({ groups = [], metrics }: Pick<ForestCompared, 'groups' | 'metrics'>): boolean {
  return groups.length * (1 + metrics.length) > mostLines;
}

/** The lines of the forest plot, from the top: a metric each or, where Scenarios have groups, the metrics below the name of each group. */
export function placeForest(comparison: ForestCompared): ForestPlace[] {
  const { metrics, groups, scenarios, primaryMetric } = comparison;
  const lineOf = (metric: MetricComparison, own: readonly string[], label: string): ForestPlace => ({
    label,
    metric,
    scenarios: own.filter((name) => !isBaseline(comparison, name)),
    note: '',
  });
  if (!groups) return metrics.map((metric) => lineOf(metric, scenarios, catalogue[metric.metric].label));
  if (isPrimaryOnly(comparison)) {
    const primary = metrics.filter(({ metric }) => metric === primaryMetric);
    return groups.flatMap((group) => primary.map((metric) => lineOf(metric, group.scenarios, group.name)));
  }
  return groups.flatMap((group) => [
    { label: group.name, metric: null, scenarios: [], note: `vs ${group.baseline}` },
    ...metrics.map((metric) => lineOf(metric, group.scenarios, catalogue[metric.metric].label)),
  ]);
}
