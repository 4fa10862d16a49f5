import type { BandwidthComparison, Estimate } from '#core/comparison/comparison.ts';
import { showPlainly } from '../show-plainly.ts';
import { absent } from './format-figures.ts';

/** More would not fit beside each other in a terminal. */
const mostShares = 8;

/** How the User Agents shared the way to them, Scenario by Scenario, as rows of a table; the first is its head. Of many User Agents no shares. */
export function listBandwidth(
  bandwidth: Extract<BandwidthComparison, { kind: 'measured' }>,
  userAgents: readonly string[],
): string[][] {
  const shown = userAgents.length <= mostShares ? userAgents : [];
  const hasWeights = bandwidth.scenarios.some(({ weightedFairness }) => weightedFairness !== null);
  const head = [
    'Scenario',
    ...shown.map((name) => `${showPlainly(name)}, %`),
    'Fairness',
    ...(hasWeights ? ['by class weight'] : []),
    'Least to most',
    'Rounds',
  ];
  const rows = bandwidth.scenarios.map(
    ({ scenario, shares, fairness, weightedFairness, leastToMost, roundsCounted }) => [
      showPlainly(scenario),
      ...shown.map((name) =>
        formatMean(shares.find(({ userAgent }) => userAgent === name)?.estimate ?? null, { factor: 100, digits: 1 }),
      ),
      formatMean(fairness, index),
      ...(hasWeights ? [formatMean(weightedFairness, index)] : []),
      formatMean(leastToMost, index),
      String(roundsCounted),
    ],
  );
  return [head, ...rows];
}

const index = { factor: 1, digits: 3 };

function formatMean(estimate: Estimate | null, { factor, digits }: { factor: number; digits: number }): string {
  if (estimate === null) return absent;
  const mean = (estimate.mean * factor).toFixed(digits);
  return estimate.halfWidth === null ? mean : `${mean} ± ${(estimate.halfWidth * factor).toFixed(digits)}`;
}
