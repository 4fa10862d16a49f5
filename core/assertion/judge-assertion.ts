import { baselineOf } from '../comparison/compared-group.ts';
import type { Comparison } from '../comparison/comparison.ts';
import { listAssertedScenarios } from './asserted-scenarios.ts';
import type { Assertion, Comparator } from './assertion.ts';
import { measureFigure, type FigureEstimate } from './measure-figure.ts';

/**
 * `passed`: the whole interval is as asserted. `failed`: none of it is. `undecided`: a part of it is, or there is no interval. `not-measured`: there is no value at all,
 * which counts as a failure: pages that no longer load must not pass.
 */
export const assertionVerdicts = ['passed', 'failed', 'not-measured', 'undecided'] as const;
export type AssertionVerdict = (typeof assertionVerdicts)[number];

/** An assertion about one Scenario, with what was measured. */
export interface JudgedAssertion extends Assertion {
  scenario: string;
  /** Null where the figure is of the Scenario alone. */
  baseline: string | null;
  /** In the unit of the bound. */
  estimate: FigureEstimate | null;
  verdict: AssertionVerdict;
}

const holdsFor: Record<Comparator, (value: number, bound: number) => boolean> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** Holds an assertion against a Comparison: one result for each Scenario that it is about. Throws AssertionFault as `listAssertedScenarios`. */
export function judgeAssertion(assertion: Assertion, comparison: Comparison): JudgedAssertion[] {
  return listAssertedScenarios(assertion, comparison).map(({ scenario, isRelative }) => {
    const estimate = measureFigure(assertion, { scenario, comparison });
    return {
      ...assertion,
      scenario,
      baseline: isRelative ? baselineOf(comparison, scenario) : null,
      estimate,
      verdict: judge(estimate, assertion),
    };
  });
}

/** As findings of studies are judged: by the interval, never by the value alone. */
function judge(estimate: FigureEstimate | null, { comparator, bound }: Assertion): AssertionVerdict {
  if (estimate === null) return 'not-measured';
  if (estimate.interval === null) return 'undecided';
  const { low, high } = estimate.interval;
  const holds = [low, high].filter((end) => holdsFor[comparator](end, bound)).length;
  if (holds === 2) return 'passed';
  return holds === 0 ? 'failed' : 'undecided';
}
