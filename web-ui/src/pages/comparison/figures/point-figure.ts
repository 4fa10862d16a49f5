import type { CountedValue } from '#core/comparison/counted/counted-value.ts';
import { type PointComparison, type PointFigure, pointFigures } from '#core/comparison/network/point-comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatBytes } from '../../../format/format-numbers.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { describeIntervalBars } from './interval-bars.ts';

/** One figure of all Capture Points per Round: bars for each point, a Scenario each, with their intervals. */
export function pointFigure(
  points: PointComparison[],
  { figure, styles }: { figure: PointFigure; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `${pointFigures[figure].label} at each Capture Point, per Round`;
  const names = points[0]?.scenarios.map(({ scenario }) => scenario) ?? [];
  const estimateAt = ({ scenarios }: PointComparison, name: string) => {
    const value = scenarios.find(({ scenario }) => scenario === name)?.figures[figure];
    return value?.kind === 'measured' ? value.estimate : null;
  };
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Capture Point' },
        { label: 'Scenario' },
        { label: pointFigures[figure].label, decimals: figure === 'bytes' ? 0 : 1 },
        { label: '±', decimals: figure === 'bytes' ? 0 : 1 },
        { label: 'ratio to the baseline', decimals: 3 },
        { label: 'ratio from', decimals: 3 },
        { label: 'ratio to', decimals: 3 },
        { label: 'Rounds', decimals: 0 },
      ],
      rows: points.flatMap(({ point, scenarios }) =>
        scenarios.map(({ scenario, figures }) => [point, scenario, ...listNumbers(figures[figure])]),
      ),
    },
    describe: (inks) =>
      describeIntervalBars(
        {
          title: `${pointFigures[figure].label} per Round`,
          categories: points.map(({ point }) => point),
          series: names.map((name) => ({
            label: labelScenario(name, styles),
            estimates: points.map((point) => estimateAt(point, name)),
            colours: inks.shade(styles.get(name)!.colour),
          })),
          ...(figure === 'bytes'
            ? { format: formatBytes, formatTick: (value) => formatBytes(value).replace('.0', '') }
            : { format: (value) => formatNumber(value, 1) }),
        },
        inks,
      ),
  };
}

/** Mean, half-width, ratio with its interval, Rounds. */
function listNumbers(value: CountedValue): (number | null)[] {
  if (value.kind === 'absent') return [null, null, null, null, null, null];
  const { estimate, contrast } = value;
  const ratio = contrast?.ratio;
  return [
    estimate.mean,
    estimate.halfWidth,
    ratio?.value ?? null,
    ratio?.low ?? null,
    ratio?.high ?? null,
    estimate.rounds,
  ];
}
