import type { BlockDecision } from '../stop-rule/block-decision.ts';

/** Why a Run ended after its last Block, in a sentence. */
export function describeEnding({ stopReason, blocks, cells, cellsMissed }: BlockDecision): string {
  const missed = `${cellsMissed} of ${cells} means are not as exact as was asked for`;
  switch (stopReason) {
    case 'fixed':
      return `It ended after ${blocks} Blocks, as many as the Evaluation says.`;
    case 'target':
      return `It ended after ${blocks} Blocks: all ${cells} means are as exact as was asked for.`;
    case 'max-rounds':
      return `It ended after ${blocks} Blocks, the most that the Evaluation allows: ${missed}.`;
    case 'time-budget':
      return `It ended after ${blocks} Blocks, for another would have overrun the time budget: ${missed}.`;
    case null:
      return `It was to go on after ${blocks} Blocks.`;
  }
}
