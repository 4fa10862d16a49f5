import { assertNever } from '../assert-never.ts';
import type { Comparison, ScenarioComparison } from '../comparison/comparison.ts';
import { intervalOf } from '../comparison/findings/finding-words.ts';
import type { Assertion, BoundUnit } from './assertion.ts';

/** A measured figure; `interval` is null where there are too few Rounds for one. */
export interface FigureEstimate {
  value: number;
  interval: { low: number; high: number } | null;
}

/** Base units of figures are ratios, milliseconds and counts. */
const unitsPerBase: Record<BoundUnit, number> = { '%': 100, ms: 1, s: 0.001, '': 1 };

/** The figure of an assertion for one Scenario of a Comparison, in the unit of its bound; null where it was not measured, and where lost objects forbid to compare. */
export function measureFigure(
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
