import { describeBound, showInUnit } from '#cli/assertions/describe-assertion.ts';
import type { JudgedAssertion } from '#cli/assertions/judge-assertion.ts';

/** The Scenarios of a result: `HTTP/2 vs HTTP/1.1`. */
export function nameScenarios({ scenario, baseline }: JudgedAssertion): string {
  return baseline === null ? scenario : `${scenario} vs ${baseline}`;
}

/** `12.3 % (9.1 % to 15.4 %)`. */
export function describeMeasured({ estimate, unit }: Pick<JudgedAssertion, 'estimate' | 'unit'>): string {
  if (estimate === null) return 'not measured';
  const { value, interval } = estimate;
  const shown = showInUnit(value, unit);
  if (interval === null) return `${shown} (no interval)`;
  if (interval.low === interval.high) return shown;
  return `${shown} (${showInUnit(interval.low, unit)} to ${showInUnit(interval.high, unit)})`;
}

/** Why a result is what it is, and what to do, in a sentence or two. */
export function explainResult(judged: JudgedAssertion, run: string): string {
  const found = `measured ${describeMeasured(judged)}, asserted ${describeBound(judged)}`;
  switch (judged.verdict) {
    case 'passed':
      return `Passed: ${found}.`;
    case 'failed':
      return `Failed: ${found}.`;
    case 'not-measured':
      return `Failed: there is no value to judge, asserted ${describeBound(judged)}. The report says why.`;
    case 'undecided':
      return `Undecided: ${found}. More Rounds narrow the interval: ./http-ae add-rounds ${run} --wait`;
  }
}
