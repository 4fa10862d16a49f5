import type { ChartConfiguration } from 'chart.js';
import { baselineOf } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison, ScenarioComparison } from '#core/comparison/comparison.ts';
import { type BlockPair, pairBlocks } from '#core/comparison/latencies/pair-blocks.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { ChartInks } from '../../../components/chart-inks.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatMs } from '../../../format/format-ms.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { fade } from './fade.ts';
import { scenarioMarks } from './scenario-marks.ts';
import { placeEstimate } from './user-latency-figure.ts';
import { placeAxis, startsAtZero, valueAxis } from './value-axis.ts';

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
    describe: (inks) => describeSlopes({ slopes, label, styles, inks }),
  };
}

function describeSlopes({
  slopes,
  label,
  styles,
  inks,
}: {
  slopes: Slope[];
  label: string;
  styles: Map<string, ScenarioStyle>;
  inks: ChartInks;
}): ChartConfiguration {
  const names = slopes.flatMap(({ baseline, scenario }) =>
    [baseline, scenario].map((each) => labelScenario(each.scenario, styles)),
  );
  const values = slopes.flatMap(({ pairs }) => pairs.flatMap(({ baselineMs, scenarioMs }) => [baselineMs, scenarioMs]));
  return {
    type: 'scatterWithErrorBars',
    data: {
      datasets: slopes.flatMap(({ baseline, scenario, pairs }, index) => {
        const place = 2 * index + 1;
        const isFaster = ({ baselineMs, scenarioMs }: BlockPair) => scenarioMs <= baselineMs;
        const colour = fade(inks.shade(styles.get(scenario.scenario)!.colour), 0.6);
        return [
          lines(scenario, { place, pairs: pairs.filter(isFaster), colour, dash: [] }),
          lines(scenario, {
            place,
            pairs: pairs.filter((pair) => !isFaster(pair)),
            colour,
            dash: [5, 4],
          }),
          means(baseline, { place, styles, inks }),
          means(scenario, { place: place + 1, styles, inks }),
        ];
      }),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', intersect: false },
      scales: {
        x: placeAxis(names, inks),
        y: {
          ...valueAxis({ title: `${label}, ms`, inks, startsAtZero: startsAtZero(values) }),
          grace: '4%',
        },
      },
      plugins: {
        tooltip: {
          usePointStyle: true,
          boxPadding: 6,
          callbacks: { title: () => '', label: ({ raw }: { raw: unknown }) => (raw as { text: string }).text },
        },
      },
    },
  } as unknown as ChartConfiguration;
}

/** All of one kind as a single line with gaps: a Run may have a thousand Blocks. */
function lines(
  scenario: ScenarioComparison,
  { place, pairs, colour, dash }: { place: number; pairs: BlockPair[]; colour: string; dash: number[] },
) {
  return {
    type: 'line',
    label: '',
    data: pairs.flatMap((pair) => {
      const text = describePair(scenario, pair);
      return [
        { x: place, y: pair.baselineMs, text },
        { x: place + 1, y: pair.scenarioMs, text },
        { x: place + 1, y: Number.NaN, text },
      ];
    }),
    showLine: true,
    spanGaps: false,
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: 1.2,
    borderDash: dash,
    pointRadius: 1.5,
    pointHoverRadius: 4,
  };
}

function means(
  scenario: ScenarioComparison,
  { place, styles, inks }: { place: number; styles: Map<string, ScenarioStyle>; inks: ChartInks },
) {
  const name = scenario.scenario;
  return {
    type: 'scatterWithErrorBars',
    // The axis names it.
    label: '',
    // Before the lines.
    order: -1,
    data: placeEstimate(scenario.estimate, place).map((mark) => ({
      ...mark,
      text: `${name}: mean ${formatMs(mark.y)}`,
    })),
    ...scenarioMarks(styles.get(name)!, inks),
  };
}

function describePair(scenario: ScenarioComparison, { block, baselineMs, scenarioMs }: BlockPair): string {
  const reduction = reductionIn(scenario, block);
  const change = reduction === null ? '' : `, reduction ${formatPercent(reduction)}`;
  return `Block ${block}: ${formatMs(baselineMs)} to ${formatMs(scenarioMs)}${change}`;
}

function reductionIn({ contrast }: ScenarioComparison, block: number): number | null {
  return contrast?.blocks.find((each) => each.block === block)?.reduction ?? null;
}
