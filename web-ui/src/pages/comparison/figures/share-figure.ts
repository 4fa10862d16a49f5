import type { ChartConfiguration } from 'chart.js';
import type { ScenarioBandwidth } from '#core/comparison/comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { valueAxis } from './value-axis.ts';

/** What part of all bytes each User Agent received, stacked to the whole, a bar per Scenario. */
export function shareFigure(scenarios: ScenarioBandwidth[], colours: Map<string, string>): Figure {
  const userAgents = [...colours.keys()];
  const title = 'Bandwidth share of each User Agent';
  const shareOf = (scenario: ScenarioBandwidth, name: string) =>
    scenario.shares.find(({ userAgent }) => userAgent === name)?.estimate ?? null;
  return {
    title,
    fileName: title,
    table: {
      columns: [
        { label: 'Scenario' },
        { label: 'User Agent' },
        { label: 'share', decimals: 4 },
        { label: '±', decimals: 4 },
        { label: 'Rounds', decimals: 0 },
      ],
      rows: scenarios.flatMap((scenario) =>
        userAgents.map((name) => {
          const share = shareOf(scenario, name);
          return [scenario.scenario, name, share?.mean ?? null, share?.halfWidth ?? null, share?.rounds ?? null];
        }),
      ),
    },
    describe: (inks): ChartConfiguration => ({
      type: 'bar',
      data: {
        labels: scenarios.map(({ scenario }) => scenario),
        datasets: userAgents.map((name) => ({
          label: name,
          data: scenarios.map((scenario) => shareOf(scenario, name)?.mean ?? null),
          backgroundColor: inks.shade(colours.get(name)!),
          borderColor: inks.paper,
          borderWidth: 1,
          maxBarThickness: 26,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        indexAxis: 'y',
        scales: {
          x: {
            ...valueAxis({ title: '', inks, format: (value) => `${Math.round(value * 100)} %` }),
            stacked: true,
            max: 1,
          },
          y: { stacked: true, grid: { display: false }, ticks: { color: inks.text }, border: { color: inks.line } },
        },
        plugins: {
          tooltip: {
            callbacks: { label: ({ dataset, raw }) => `${dataset.label ?? ''}: ${formatPercent(Number(raw))}` },
          },
        },
      },
    }),
  };
}
