import type { Measurements } from './study-measurements.ts';
import { measureQuantity } from './measure-quantity.ts';
import type { Quantity } from '../../core/study/quantity.ts';
import type { QuantityEstimate } from './quantity-estimate.ts';
import type { Study, Check, Expectation, Bound } from '../../core/study/study-definition.ts';
import { joinVerdicts, type StudyVerdict } from './format-quantity.ts';

/** A check in one part, with what was measured. */
export interface JudgedCheck extends Pick<Check, 'quantity' | 'bound'> {
  part: string;
  estimate: QuantityEstimate | null;
  verdict: StudyVerdict;
}

export interface JudgedExpectation extends Omit<Expectation, 'checks'> {
  checks: JudgedCheck[];
  verdict: StudyVerdict;
}

/** The pairs of Scenarios whose Visits a quantity holds against each other. */
function comparedBy(quantity: Quantity): [scenario: string, against: string][] {
  switch (quantity.kind) {
    case 'difference':
    case 'reduction':
    case 'slope-ratio':
      return [[quantity.scenario, quantity.against]];
    case 'reduction-difference': {
      const { scenario, against } = { ...quantity, ...quantity.minus };
      return [
        [quantity.scenario, quantity.against],
        [scenario, against],
      ];
    }
    default:
      return [];
  }
}

/** Holds the findings of a study against its Runs, by part; a part that was not measured is missing. */
export function judgeStudy(study: Study, runs: ReadonlyMap<string, Measurements>): JudgedExpectation[] {
  return study.expectations.map(({ checks, ...expectation }) => {
    const judged = checks.flatMap(({ parts = study.parts.map(({ name }) => name), quantity, bound }) =>
      parts.map((part): JudgedCheck => {
        const run = runs.get(part);
        if (run && !comparedBy(quantity).every(([scenario, against]) => run.isComparable(scenario, against)))
          return { part, quantity, bound, estimate: null, verdict: 'not-comparable' };
        const estimate = run ? measureQuantity(quantity, run) : null;
        return { part, quantity, bound, estimate, verdict: judgeInterval(estimate, bound) };
      }),
    );
    return { ...expectation, checks: judged, verdict: joinVerdicts(judged.map(({ verdict }) => verdict)) };
  });
}

/**
 * Judges a claim by the interval of what was measured: confirmed only if the whole interval is within the bound, contradicted only if none of it is. Without an interval
 * (fewer than two Rounds) nothing is shown either way.
 */
export function judgeInterval(estimate: QuantityEstimate | null, bound: Bound): StudyVerdict {
  if (estimate === null) return 'not-measured';
  if (estimate.interval === null) return 'not-confirmed';
  const { low, high } = estimate.interval;
  const { above = -Infinity, below = Infinity } = bound;
  if (low > above && high < below) return 'confirmed';
  return high <= above || low >= below ? 'contradicted' : 'not-confirmed';
}
