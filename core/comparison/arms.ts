import type { LatencyId } from '../metrics/index.ts';
import type { Comparison, Estimate, Reduction } from './comparison.ts';
import type { Verdict } from './latencies/contrast.ts';

/** One Scenario of one Run. */
export interface Arm {
  /** In addresses: `7.direct`. */
  key: string;
  runId: string;
  evaluationName: string;
  scenario: string;
  estimate: Estimate | null;
  /** The value of each Round. */
  values: number[];
  /** Against the baseline of its own Run; null of a baseline, and of what is not comparable with it. */
  reduction: Reduction | null;
  /** Left out of a baseline, and where there is none. */
  verdict?: Verdict;
  /** Of each Block, which the reduction is estimated from. Empty where there is none. */
  logRatios: number[];
}

export function listArms(comparisons: readonly Comparison[], metric: LatencyId): Arm[] {
  return comparisons.flatMap(({ runId, evaluationName, metrics }) =>
    (metrics.find((each) => each.metric === metric)?.scenarios ?? []).map(
      ({ scenario, isBaseline, estimate, blocks, reduction, contrast }) => ({
        key: `${runId}.${scenario}`,
        runId,
        evaluationName,
        scenario,
        estimate,
        values: blocks.map(({ value }) => value),
        reduction: isBaseline ? null : reduction,
        ...(!isBaseline && contrast && { verdict: contrast.verdict }),
        logRatios:
          isBaseline || reduction === null || !contrast
            ? []
            : contrast.blocks.map((block) => Math.log1p(-block.reduction)),
      }),
    ),
  );
}

/** The differences between the Runs in pages and User Agents. Empty where there are none. */
export function findDifferences(comparisons: readonly Comparison[]): string[] {
  const [first, ...others] = comparisons;
  if (!first) return [];
  const urlsOf = ({ metrics }: Comparison) => new Set(metrics[0]?.cells.map(({ url }) => url));
  const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    one.size === other.size && [...one].every((each) => other.has(each));
  return others.flatMap((other) => [
    ...(isSame(urlsOf(first), urlsOf(other))
      ? []
      : [`Run ${other.runId} has other URLs than Run ${first.runId}: their means cover different pages.`]),
    ...(isSame(new Set(first.userAgents), new Set(other.userAgents))
      ? []
      : [`Run ${other.runId} has other User Agents than Run ${first.runId}.`]),
  ]);
}
