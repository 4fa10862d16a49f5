import { type ScenarioWire, type WireFigure, wireFigures } from '#core/comparison/network/wire-comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { describeIntervalBars } from './interval-bars.ts';

/** One figure of the wire per Visit, a bar per Scenario with its interval. */
export function wireFigure(
  scenarios: ScenarioWire[],
  { figure, styles }: { figure: WireFigure; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `${wireFigures[figure].label} per Visit`;
  const estimates = scenarios.map(({ figures }) => figures[figure]);
  return {
    title,
    fileName: title,
    table: {
      columns: [{ label: 'Scenario' }, { label: title }, { label: '±' }, { label: 'Rounds', decimals: 0 }],
      rows: scenarios.map(({ scenario, figures }) => [
        scenario,
        figures[figure]?.mean ?? null,
        figures[figure]?.halfWidth ?? null,
        figures[figure]?.rounds ?? null,
      ]),
    },
    describe: (inks) =>
      describeIntervalBars(
        {
          title,
          categories: scenarios.map(({ scenario }) => scenario),
          series: [
            {
              label: title,
              estimates,
              colours: scenarios.map(({ scenario }) => inks.shade(styles.get(scenario)!.colour)),
            },
          ],
          format: (value) => formatNumber(value, 1),
        },
        inks,
      ),
  };
}
