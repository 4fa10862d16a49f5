import { listArms } from '#core/comparison/arms.ts';
import type { Comparison, Estimate, Reduction } from '#core/comparison/comparison.ts';
import type { Verdict } from '#core/comparison/latencies/contrast.ts';
import type { LatencyId } from '#core/metrics/catalogue.ts';
import { compareUnpaired, type UnpairedComparison } from '#core/statistics/compare-unpaired.ts';

const confidence = 0.95;

/** A Scenario as one Run measured it. */
interface MeasuredArm {
  rounds: number;
  estimate: Estimate | null;
  /** Against the baseline of its own Run; null of a baseline, and of what is not comparable with it. */
  reduction: Reduction | null;
  /** Left out of a baseline, and where there is none. */
  verdict?: Verdict;
}

/** A Scenario of either Run. A Run without it has null. */
export interface PairedArm {
  scenario: string;
  a: MeasuredArm | null;
  b: MeasuredArm | null;
  /** B − A. Null where a Run lacks the Scenario or a value of it. */
  change: UnpairedComparison | null;
}

/** The Scenarios of two Runs by name: those of A in its order, then those that only B has. */
export function pairArms([a, b]: [Comparison, Comparison], metric: LatencyId): PairedArm[] {
  const armsOf = (comparison: Comparison) =>
    new Map(listArms([comparison], metric).map((arm) => [arm.scenario, arm] as const));
  const [inA, inB] = [armsOf(a), armsOf(b)];
  return [...new Set([...inA.keys(), ...inB.keys()])].map((scenario) => {
    const [one, other] = [inA.get(scenario), inB.get(scenario)];
    const measured = (comparison: Comparison, arm: typeof one): MeasuredArm | null =>
      arm ? { rounds: arm.values.length, estimate: arm.estimate, ...contrastOf(comparison, metric, scenario) } : null;
    return {
      scenario,
      a: measured(a, one),
      b: measured(b, other),
      change: one && other ? compareUnpaired(other.values, one.values, confidence) : null,
    };
  });
}

function contrastOf(
  { metrics }: Comparison,
  metric: LatencyId,
  scenario: string,
): Pick<MeasuredArm, 'reduction' | 'verdict'> {
  const found = metrics.find((each) => each.metric === metric)?.scenarios.find((each) => each.scenario === scenario);
  if (!found || found.isBaseline) return { reduction: null };
  return { reduction: found.reduction, ...(found.contrast && { verdict: found.contrast.verdict }) };
}
