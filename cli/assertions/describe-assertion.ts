import { assertedFigures, type AssertedFigure, type Assertion, type BoundUnit } from './assertion.ts';

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
export function showInUnit(value: number, unit: BoundUnit): string {
  return `${showNumber(Number(value.toPrecision(unit === '' ? 15 : 4)))}${unit === '' ? '' : ` ${unit}`}`;
}

function showNumber(value: number): string {
  return String(value).replace('-', '−');
}
