import type { JudgedAssertion } from '#cli/assertions/judge-assertion.ts';
import { exitStatus } from '../exit-status.ts';

/** How many assertions ended how. What was not measured has failed. */
export function countResults(judged: readonly JudgedAssertion[]): {
  passed: number;
  failed: number;
  undecided: number;
} {
  const count = (...verdicts: string[]) => judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return { passed: count('passed'), failed: count('failed', 'not-measured'), undecided: count('undecided') };
}

/** `2 passed, 1 undecided`. */
export function summariseResults(judged: readonly JudgedAssertion[]): string {
  return Object.entries(countResults(judged))
    .flatMap(([verdict, count]) => (count === 0 ? [] : [`${count} ${verdict}`]))
    .join(', ');
}

/** A failure counts before what is undecided. */
export function statusOfResults(judged: readonly JudgedAssertion[], failsUndecided: boolean): number {
  const { failed, undecided } = countResults(judged);
  if (failed > 0) return exitStatus.assertionFailed;
  return undecided > 0 && failsUndecided ? exitStatus.assertionUndecided : exitStatus.done;
}
