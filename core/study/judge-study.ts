import type { Check, Expectation } from './expectation.ts';
import { judgeInterval } from './judge-interval.ts';
import type { Measurements } from './measurements.ts';
import { measureQuantity } from './measure-quantity.ts';
import type { Quantity } from './quantity.ts';
import type { QuantityEstimate } from './quantity-estimate.ts';
import type { Study } from './study.ts';
import { joinVerdicts, type StudyVerdict } from './verdict.ts';

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
