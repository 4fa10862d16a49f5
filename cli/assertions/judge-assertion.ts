import { AppError } from '#core/app-error.ts';
import { baselineOf } from '../../core/comparison/compared-group.ts';
import type { Comparison, ScenarioComparison } from '../../core/comparison/comparison.ts';
import { exitStatus } from '../report-error.ts';
import {
  AssertionFault,
  listAssertedScenarios,
  type Assertion,
  type Comparator,
  type BoundUnit,
  type ComparedScenarios,
} from './assertion.ts';
import { assertNever } from '../../core/assert-never.ts';
import { intervalOf } from '../../core/comparison/findings/finding-words.ts';

/** A measured figure; `interval` is null where there are too few Rounds for one. */
interface FigureEstimate {
  value: number;
  interval: { low: number; high: number } | null;
}

/** Base units of figures are ratios, milliseconds and counts. */
const unitsPerBase: Record<BoundUnit, number> = { '%': 100, ms: 1, s: 0.001, '': 1 };

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

/** The figure of an assertion for one Scenario of a Comparison, in the unit of its bound; null where it was not measured, and where lost objects forbid to compare. */
function measureFigure(
  { subject, figure, unit }: Pick<Assertion, 'subject' | 'figure' | 'unit'>,
  { scenario, comparison }: { scenario: string; comparison: Comparison },
): FigureEstimate | null {
  // Visits are counted alike in every metric.
  const metric = subject === 'visits' ? comparison.primaryMetric : subject;
  const found = comparison.metrics
    .find((each) => each.metric === metric)
    ?.scenarios.find((each) => each.scenario === scenario);
  const estimate = found ? read(found, { figure, unit }) : null;
  if (estimate === null) return null;
  const scale = (value: number) => value * unitsPerBase[unit];
  const { value, interval } = estimate;
  return { value: scale(value), interval: interval && { low: scale(interval.low), high: scale(interval.high) } };
}

function read(
  { reduction, meanReduction, contrast, estimate, failures, visits, failedVisits }: ScenarioComparison,
  { figure, unit }: Pick<Assertion, 'figure' | 'unit'>,
): FigureEstimate | null {
  switch (figure) {
    case 'reduction':
      return reduction && join(reduction.ratio, reduction);
    case 'mean-reduction':
      return meanReduction && join(meanReduction.ratio, meanReduction);
    case 'difference': {
      const difference = contrast?.meanDifference;
      return difference?.kind === 'measured' ? join(difference.value, difference) : null;
    }
    case 'mean':
      return estimate && { value: estimate.mean, interval: intervalOf(estimate) };
    case 'failed':
      if (visits === 0) return null;
      // A count is of this Run, and has no interval.
      if (unit === '') return join(failedVisits, { low: failedVisits, high: failedVisits });
      return failures && join(failures.ratio, failures);
    default:
      return assertNever(figure);
  }
}

function join(value: number, { low, high }: { low: number | null; high: number | null }): FigureEstimate {
  return { value, interval: low === null || high === null ? null : { low, high } };
}

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

/** Looks for names that the Evaluation does not have before hours are spent on a Run. Throws `invalid-input`; `state` says what was done so far. */
export function checkAssertions(assertions: readonly Assertion[], compared: ComparedScenarios, state: string): void {
  for (const assertion of assertions) {
    try {
      listAssertedScenarios(assertion, compared);
    } catch (error) {
      if (!(error instanceof AssertionFault)) throw error;
      throw new AppError('invalid-input', `--assert cannot be checked:\n${showFault(error)}\n${state}`, {
        cause: error,
      });
    }
  }
}

/** The assertion with a mark below what is wrong, and the message. */
export function showFault({ message, text, place }: AssertionFault): string {
  const plain = text.replaceAll(/[\s\p{Cc}]/gu, ' ');
  return `  ${plain}\n  ${' '.repeat(place)}^\n${message}`;
}
