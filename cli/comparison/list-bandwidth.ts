import type { BandwidthComparison, Estimate } from '#core/comparison/comparison.ts';
import { showPlainly } from '../show-plainly.ts';
import { absent } from './format-figures.ts';
import { formatMean } from './format-mean.ts';

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
        formatScaled(shares.find(({ userAgent }) => userAgent === name)?.estimate ?? null, { factor: 100, digits: 1 }),
      ),
      formatScaled(fairness, index),
      ...(hasWeights ? [formatScaled(weightedFairness, index)] : []),
      formatScaled(leastToMost, index),
      String(roundsCounted),
    ],
  );
  return [head, ...rows];
}

const index = { factor: 1, digits: 3 };

function formatScaled(estimate: Estimate | null, { factor, digits }: { factor: number; digits: number }): string {
  if (estimate === null) return absent;
  return formatMean(estimate.mean * factor, estimate.halfWidth && estimate.halfWidth * factor, digits);
}
