import type { BlockDecision } from '../stop-rule/block-decision.ts';

/** Why a Run ended after its last Block, in a sentence. */
export function describeEnding({ stopReason, blocks, cells, cellsMissed }: BlockDecision): string {
  const missed = `${cellsMissed} of ${cells} means missed their target`;
  switch (stopReason) {
    case 'fixed':
      return `The Run ended after ${blocks} Blocks, as the Evaluation declares.`;
    case 'target':
      return `The Run ended after ${blocks} Blocks: all ${cells} means reached their target.`;
    case 'max-rounds':
      return `The Run ended after ${blocks} Blocks, the most that the Evaluation allows: ${missed}.`;
    case 'time-budget':
      return `The Run ended after ${blocks} Blocks, because another would exceed the time budget: ${missed}.`;
    case 'added':
      return `The Run ended after ${blocks} Blocks, with the last of the Rounds that were added${cells > 0 ? `: ${missed}` : ''}.`;
    case null:
      return `The stop rule continued the Run after ${blocks} Blocks.`;
  }
}
