import type { LatencyId } from '../metrics/index.ts';
import type { Comparison, Estimate } from './comparison.ts';

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
}

export function listArms(comparisons: readonly Comparison[], metric: LatencyId): Arm[] {
  return comparisons.flatMap(({ runId, evaluationName, metrics }) =>
    (metrics.find((each) => each.metric === metric)?.scenarios ?? []).map(({ scenario, estimate, blocks }) => ({
      key: `${runId}.${scenario}`,
      runId,
      evaluationName,
      scenario,
      estimate,
      values: blocks.map(({ value }) => value),
    })),
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
