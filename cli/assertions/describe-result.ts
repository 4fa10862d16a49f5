import type { JudgedAssertion } from '#cli/assertions/judge-assertion.ts';
import { assertedFigures, type AssertedFigure, type Assertion, type BoundUnit } from './assertion.ts';

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

const unitExamples: Record<BoundUnit, string> = { '%': '-5%', ms: '250ms', s: '1.5s', '': '3 for a count' };

/** The units of a figure's bound, by examples: `250ms or 1.5s`. */
export function describeFigureUnits(figure: AssertedFigure): string {
  return assertedFigures[figure].units.map((unit) => unitExamples[unit]).join(' or ');
}

/** `> −5 %`. */
export function describeBound({ comparator, bound, unit }: Pick<Assertion, 'comparator' | 'bound' | 'unit'>): string {
  return `${comparator} ${showNumber(bound)}${unit === '' ? '' : ` ${unit}`}`;
}

/** A value of the figure in the unit of its bound: `12.3 %`. */
function showInUnit(value: number, unit: BoundUnit): string {
  return `${showNumber(Number(value.toPrecision(unit === '' ? 15 : 4)))}${unit === '' ? '' : ` ${unit}`}`;
}

function showNumber(value: number): string {
  return String(value).replace('-', '−');
}
