import { baselineOf } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison, ScenarioComparison } from '#core/comparison/comparison.ts';
import { type BlockPair, pairBlocks } from '#core/comparison/latencies/pair-blocks.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { describeReduction } from '../../../format/format-ratios.ts';
import { describePlot } from '../../../figures/describe-plot.ts';
import { startsAtZero } from '../../../figures/plot-axes.ts';
import type { PlotLayer } from '../../../figures/plot.ts';
import { formatMs } from '../../../format/format-times.ts';
import { placeEstimate } from './interval-figures.ts';

interface BlockOptions {
  metric: MetricComparison;
  /** Those that are drawn, each beside its baseline. */
  scenarios: readonly string[];
  compared: Pick<Comparison, 'baseline' | 'groups' | 'countedFrom'>;
  styles: Map<string, ScenarioStyle>;
}

/** Two places of the axis: a Scenario right of its baseline. */
interface Slope {
  baseline: ScenarioComparison;
  scenario: ScenarioComparison;
  pairs: BlockPair[];
}

/** A line for each Block, from its mean under the baseline to that under a Scenario, and the means of both with their intervals. Dashed: slower. */
export function blockFigure({ metric, scenarios, compared, styles }: BlockOptions): Figure {
  const of = (name: string) => metric.scenarios.find(({ scenario }) => scenario === name);
  const slopes = scenarios.flatMap((name): Slope[] => {
    const [baseline, scenario] = [of(baselineOf(compared, name)), of(name)];
    return baseline && scenario ? [{ baseline, scenario, pairs: pairBlocks(baseline, scenario) }] : [];
  });
  const label = nameLatency(metric.metric, compared.countedFrom);
  const title = `${label} of each Block`;
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Scenario' },
        { label: 'Baseline' },
        { label: 'Block', decimals: 0 },
        { label: 'under the baseline', unit: 'ms' },
        { label: 'under the Scenario', unit: 'ms' },
        { label: 'reduction', unit: '%' },
      ],
      rows: slopes.flatMap(({ baseline, scenario, pairs }) =>
        pairs.map(({ block, baselineMs, scenarioMs }) => {
          const reduction = reductionIn(scenario, block);
          return [
            scenario.scenario,
            baseline.scenario,
            block,
            baselineMs,
            scenarioMs,
            reduction === null ? null : 100 * reduction,
          ];
        }),
      ),
    },
    describe: describePlot(() => ({
      x: {
        kind: 'places',
        names: slopes.flatMap(({ baseline, scenario }) =>
          [baseline, scenario].map((each) => labelScenario(each.scenario, styles)),
        ),
      },
      y: {
        kind: 'numbers',
        title: label,
        unit: 'ms',
        startsAtZero: startsAtZero(
          slopes.flatMap(({ pairs }) => pairs.flatMap(({ baselineMs, scenarioMs }) => [baselineMs, scenarioMs])),
        ),
        limits: { grace: '4%' },
      },
      layers: slopes.flatMap((slope, index) => plotSlope(slope, { place: 2 * index + 1, styles })),
      reads: 'nearest',
    })),
  };
}

function plotSlope(
  { baseline, scenario, pairs }: Slope,
  { place, styles }: { place: number; styles: Map<string, ScenarioStyle> },
): PlotLayer[] {
  const isFaster = ({ baselineMs, scenarioMs }: BlockPair) => scenarioMs <= baselineMs;
  const { colour } = styles.get(scenario.scenario)!;
  return [
    joinPairs(scenario, { place, pairs: pairs.filter(isFaster), colour, dash: [] }),
    joinPairs(scenario, { place, pairs: pairs.filter((pair) => !isFaster(pair)), colour, dash: [5, 4] }),
    placeMeans(baseline, place, styles),
    placeMeans(scenario, place + 1, styles),
  ];
}

/** All of one kind as a single line with gaps: a Run may have a thousand Blocks. */
function joinPairs(
  scenario: ScenarioComparison,
  { place, pairs, colour, dash }: { place: number; pairs: BlockPair[]; colour: string; dash: number[] },
): PlotLayer {
  const marks = pairs.flatMap((pair) => {
    const text = describePair(scenario, pair);
    return [
      { x: place, y: pair.baselineMs, text },
      { x: place + 1, y: pair.scenarioMs, text },
      { x: place + 1, y: Number.NaN, text },
    ];
  });
  return { kind: 'line', label: '', colour, opacity: 0.6, widthPx: 1.2, dash, pointPx: 1.5, marks };
}

function placeMeans(
  { scenario: name, estimate }: ScenarioComparison,
  x: number,
  styles: Map<string, ScenarioStyle>,
): PlotLayer {
  const write = (mean: number) => `${name}: mean ${formatMs(mean)}`;
  // The axis names it.
  const label = '';
  return {
    kind: 'points',
    label,
    look: styles.get(name)!,
    marks: placeEstimate(estimate, { x, write }),
    isInFront: true,
  };
}

function describePair(scenario: ScenarioComparison, { block, baselineMs, scenarioMs }: BlockPair): string {
  const reduction = reductionIn(scenario, block);
  const change = reduction === null ? '' : `, ${describeReduction({ ratio: reduction, low: null, high: null }).shown}`;
  return `Block ${block}: ${formatMs(baselineMs)} to ${formatMs(scenarioMs)}${change}`;
}

function reductionIn({ contrast }: ScenarioComparison, block: number): number | null {
  return contrast?.blocks.find((each) => each.block === block)?.reduction ?? null;
}
