import { mostAdditions } from '../../core/evaluation/rounds/added-rounds.ts';
import { isOpen, type RunState } from '../../core/protocol/api/run-summary.ts';

/** Why no Rounds can be added to a Run; null when they can. `lastBlock`: the last that was begun, 0 without any. */
export function explainNoAddition({
  state,
  isTry,
  additions,
  lastBlock,
  hasVisits = true,
}: {
  state: RunState;
  isTry: boolean;
  additions: number;
  lastBlock: number;
  /** The retention setting has not deleted them. */
  hasVisits?: boolean;
}): string | null {
  if (isOpen(state)) return 'it has not ended. Wait for its end';
  if (isTry) return 'it only tried a URL. Run an Evaluation instead';
  // What was stopped or failed before its declared end has no result that Rounds could add to.
  if (state !== 'completed' && additions === 0)
    return `it is ${state}, and only a completed Run can be continued. Run it again instead`;
  if (!hasVisits) return 'its Visits were deleted by the retention setting. Run it again instead';
  if (lastBlock === 0) return 'it has no Round that counts. Run it again instead';
  if (additions >= mostAdditions)
    return `Rounds were added ${mostAdditions} times, which is the most. Run it again instead`;
  return null;
}
