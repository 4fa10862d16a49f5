import {
  AssertionFault,
  assertedFigureIds,
  assertedFigures,
  comparators,
  subjects,
  type Assertion,
  type AssertedFigure,
  type BoundUnit,
  type Comparator,
  type Subject,
} from './assertion.ts';
import { describeFigureUnits } from './describe-assertion.ts';
import { TokenReader } from './token-reader.ts';

export const longestAssertion = 300;

const boundPattern = /^([+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12}))\s*([a-z%]*)$/i;

/**
 * Reads an assertion, in time linear in its length:
 *
 *     SUBJECT ":" FIGURE [ "of" SCENARIO [ "vs" BASELINE ] ] COMPARATOR NUMBER [ UNIT ]
 *
 * A name with spaces or one of `: < > =` is in quotes, single or double. Throws AssertionFault with the place of what is wrong.
 */
export function readAssertion(text: string): Assertion {
  if (text.length > longestAssertion)
    throw new AssertionFault(`It must have at most ${longestAssertion} characters.`, { text, place: longestAssertion });
  const reader = new TokenReader(text);
  const subject = reader.choose<Subject>(subjects, 'what it is about');
  reader.need(':', `a colon after ${subject}`);
  const figures = assertedFigureIds.filter((id) => (assertedFigures[id].of === 'visits') === (subject === 'visits'));
  const figure = reader.choose<AssertedFigure>(figures, `a figure of ${subject}`);
  const scenario = reader.takeWord('of') ? reader.name('a Scenario after "of"') : null;
  const baseline = scenario !== null && reader.takeWord('vs') ? readBaseline(reader, figure) : null;
  const comparator = reader.choose<Comparator>(comparators, 'a comparison');
  return { text, subject, figure, scenario, baseline, comparator, ...readBound(reader, figure) };
}

function readBaseline(reader: TokenReader, figure: AssertedFigure): string {
  const { place } = reader;
  if (!assertedFigures[figure].isRelative)
    throw reader.faultAt(place, `"${figure}" is a figure of one Scenario: leave out "vs" and the name after it.`);
  return reader.name('a baseline after "vs"');
}

function readBound(reader: TokenReader, figure: AssertedFigure): { bound: number; unit: BoundUnit } {
  const { place, rest } = reader.takeRest();
  const [, number, unit = ''] = boundPattern.exec(rest.replace('−', '-')) ?? [];
  if (number === undefined)
    throw reader.faultAt(place, `It must end in a number with its unit: ${describeFigureUnits(figure)}.`);
  const units: readonly string[] = assertedFigures[figure].units;
  if (!units.includes(unit))
    throw reader.faultAt(
      place,
      `The number after "${figure}" needs ${unit === '' ? 'a unit' : 'another unit'}: ${describeFigureUnits(figure)}.`,
    );
  return { bound: Number(number), unit: unit as BoundUnit };
}
