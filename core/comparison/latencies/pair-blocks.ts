import type { ScenarioComparison } from '../comparison.ts';

/** A Block under the baseline and under a Scenario. */
export interface BlockPair {
  block: number;
  baselineMs: number;
  scenarioMs: number;
}

type Rounds = Pick<ScenarioComparison, 'blocks'>;

/** The means of a Scenario and of its baseline in each Block that has both, in the order of the Blocks: the pairs of which its reduction is made. */
export function pairBlocks(baseline: Rounds, scenario: Rounds): BlockPair[] {
  const ofBaseline = new Map(baseline.blocks.map(({ block, value }) => [block, value]));
  return scenario.blocks
    .flatMap(({ block, value }) => {
      const baselineMs = ofBaseline.get(block);
      return baselineMs === undefined ? [] : [{ block, baselineMs, scenarioMs: value }];
    })
    .sort((a, b) => a.block - b.block);
}
