import type { ScenarioComparison } from '../comparison.ts';
import { isAutocorrelated } from './find-flags.ts';
import type { GatheredCells } from '../cells/gather-cells.ts';
import { summarizeSample } from '../../statistics/summarize-sample.ts';

/** Flags every Scenario as autocorrelated when the conditions of the Run were. */
export function flagConditions(
  scenarios: ScenarioComparison[],
  { blocks, rounds }: Pick<GatheredCells, 'blocks' | 'rounds'>,
): ScenarioComparison[] {
  const values = new Map(
    scenarios.map(({ scenario, blocks: ofBlocks }) => [
      scenario,
      new Map(ofBlocks.map(({ block, value }) => [block, value])),
    ]),
  );
  const inOrder = rounds.flatMap(({ scenario, block }) => {
    const value = values.get(scenario)?.get(blocks[block]!);
    return value === undefined || value <= 0 ? [] : [{ scenario, value }];
  });
  if (!areConditionsAutocorrelated(inOrder)) return scenarios;
  return scenarios.map((scenario) => {
    const { distribution } = scenario;
    if (!distribution || distribution.flags.includes('autocorrelated')) return scenario;
    return { ...scenario, distribution: { ...distribution, flags: [...distribution.flags, 'autocorrelated'] } };
  });
}

/**
 * Whether the Rounds of a Run, in the order of execution and each as far as it lies above or below the geometric mean of its Scenario, follow each other more than chance
 * explains. Rounds that follow each other at once show more of that than those of one Scenario, which are a Block apart.
 */
export function areConditionsAutocorrelated(rounds: readonly { scenario: string; value: number }[]): boolean {
  const logs = Map.groupBy(rounds, ({ scenario }) => scenario);
  const means = new Map(
    [...logs].map(([scenario, own]) => [scenario, summarizeSample(own.map(({ value }) => Math.log(value))).mean]),
  );
  return isAutocorrelated(rounds.map(({ scenario, value }) => Math.log(value) - means.get(scenario)!));
}
