import type { Comparison } from '../comparison.ts';
import { primaryOf, type Check } from './check.ts';

/** What an evaluator does next with a result, and why. */
export interface NextStep {
  step: 'run-again' | 'add-rounds' | 'share' | 'look';
  reason: string;
}

/** The one thing to do next: repair what makes the result doubtful, else decide what is undecided, else use it. Null without a comparison. */
export function recommendNext(comparison: Comparison, checks: readonly Check[]): NextStep | null {
  const compared = primaryOf(comparison).scenarios.filter(({ isBaseline }) => !isBaseline);
  if (compared.length === 0) return null;
  const doubtful = checks.find(
    ({ state, touchesReduction, step }) => state === 'failed' && touchesReduction && step !== 'add-rounds',
  );
  if (doubtful) {
    const reason = `${doubtful.label}: no. ${doubtful.effect}`;
    return { step: doubtful.step === 'run-again' ? 'run-again' : 'look', reason };
  }
  if (compared.some(({ reduction }) => reduction === null))
    return { step: 'look', reason: 'A Scenario has no reduction. Its Visits say why.' };
  const undecided = compared.filter(
    ({ contrast }) => contrast?.verdict === 'no-difference-shown' || contrast?.verdict === 'not-after-correction',
  );
  const few = checks.find(({ id, state }) => id === 'blocks' && state === 'failed');
  if (undecided.length > 0)
    return {
      step: 'add-rounds',
      reason: `Undecided: ${undecided.map(({ scenario }) => scenario).join(', ')}. More Rounds narrow the interval.`,
    };
  if (few) return { step: 'add-rounds', reason: `${few.found} ${few.effect}` };
  return { step: 'share', reason: 'Decided. More Rounds would only narrow the interval.' };
}
