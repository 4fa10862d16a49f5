import type { BlockDecision } from '../stop-rule/block-decision.ts';

/** Why a Run ended after its last Block, in a sentence. */
export function describeEnding({ stopReason, blocks, cells, cellsMissed }: BlockDecision): string {
  const after = `after ${blocks} ${blocks === 1 ? 'Block' : 'Blocks'}`;
  const missed = `${cellsMissed} of ${cells} ${cells === 1 ? 'mean' : 'means'} missed ${cellsMissed === 1 ? 'its' : 'their'} target`;
  switch (stopReason) {
    case 'fixed':
      return `The Run ended ${after}, as the Evaluation declares.`;
    case 'target':
      return `The Run ended ${after}: ${cells === 1 ? 'the one mean reached its target' : `all ${cells} means reached their target`}.`;
    case 'max-rounds':
      return `The Run ended ${after}, the most that the Evaluation allows: ${missed}.`;
    case 'time-budget':
      return `The Run ended ${after}, because another would exceed the time budget: ${missed}.`;
    case 'added':
      return `The Run ended ${after}, with the last of the Rounds that were added${cells > 0 ? `: ${missed}` : ''}.`;
    case null:
      return `The stop rule continued the Run ${after}.`;
  }
}
