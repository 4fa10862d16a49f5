import { styleText } from 'node:util';
import { findDifferences } from '#core/comparison/arms.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import type { LatencyId } from '#core/metrics/catalogue.ts';
import type { UnpairedComparison } from '#core/statistics/compare-unpaired.ts';
import { absent, formatEstimate, formatReduction } from '../comparison/format-figures.ts';
import { formatTable } from '../comparison/format-table.ts';
import { showPlainly } from '../show-plainly.ts';
import type { PairedArm } from './pair-arms.ts';

/** Two Runs for a terminal: what differs between them, a row for each Scenario, and what its figures are. */
export function formatSideBySide(
  comparisons: [Comparison, Comparison],
  { metric, scenarios, isColoured }: { metric: LatencyId; scenarios: PairedArm[]; isColoured: boolean },
): string {
  const [a, b] = comparisons;
  const dim = (text: string) => (isColoured ? styleText('dim', text, { validateStream: false }) : text);
  const [head, ...rows] = formatTable([
    [
      'Scenario',
      `Run ${a.runId}, ms`,
      `Run ${b.runId}, ms`,
      'Difference, ms',
      'p',
      'Cliff’s δ',
      `Reduction in ${a.runId}`,
      `in ${b.runId}`,
      'Rounds',
    ],
    ...scenarios.map((each) => [
      showPlainly(each.scenario),
      formatEstimate(each.a?.estimate ?? null),
      formatEstimate(each.b?.estimate ?? null),
      ...formatChange(each.change),
      formatReduction(each.a?.reduction ?? null, each.a?.verdict),
      formatReduction(each.b?.reduction ?? null, each.b?.verdict),
      `${each.a?.rounds ?? 0}, ${each.b?.rounds ?? 0}`,
    ]),
  ]);
  return [
    `A: Run ${a.runId} of "${showPlainly(a.evaluationName)}"`,
    `B: Run ${b.runId} of "${showPlainly(b.evaluationName)}"`,
    ...findDifferences(comparisons),
    '',
    `${nameLatency(metric, a.countedFrom)} by Scenario`,
    dim(head!),
    ...rows,
    '',
    dim(
      'Difference: mean of B minus mean of A, with Welch’s 95 % interval. p: Mann–Whitney, two-sided, not corrected. Reduction: against the baseline of the same Run.',
    ),
    dim(
      `Rounds of different Runs are not paired: each difference includes all changes between the Runs. ${absent}: not measured.`,
    ),
  ].join('\n');
}

function formatChange(change: UnpairedComparison | null): string[] {
  if (change === null) return [absent, absent, absent];
  const { difference, p, cliffsDelta } = change;
  return [
    difference === null
      ? absent
      : `${signed(difference.value)} (${signed(difference.low)} to ${signed(difference.high)})`,
    p < 0.001 ? '< 0.001' : p.toFixed(3),
    cliffsDelta.toFixed(2).replace('-', '−'),
  ];
}

function signed(ms: number): string {
  const text = ms.toFixed(Math.abs(ms) < 100 ? 1 : 0);
  return ms > 0 ? `+${text}` : text.replace('-', '−');
}
