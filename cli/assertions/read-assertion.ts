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
import { describeFigureUnits } from './describe-result.ts';

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

type Token = { kind: 'word' | 'name' | 'sign'; text: string; place: number } | { kind: 'end'; text: ''; place: number };

const blank = /\s/;
const sign = /[:<>=]/;

/** The words, quoted names and signs of an assertion, from left to right. */
class TokenReader {
  readonly #text: string;
  #next: Token;
  #end: number;

  constructor(text: string) {
    this.#text = text;
    this.#end = 0;
    this.#next = this.#read();
  }

  /** Of what comes next. */
  get place(): number {
    return this.#next.place;
  }

  faultAt(place: number, message: string): AssertionFault {
    return new AssertionFault(message, { text: this.#text, place });
  }

  /** One of these, which `what` names. */
  choose<Choice extends string>(choices: readonly Choice[], what: string): Choice {
    const { kind, text, place } = this.#next;
    const chosen = kind === 'name' ? undefined : choices.find((choice) => choice === text);
    if (chosen === undefined)
      throw this.faultAt(
        place,
        `${kind === 'end' ? 'Here must be' : `"${text}" is not`} ${what}: write ${choices.join(' or ')}.`,
      );
    this.#advance();
    return chosen;
  }

  need(wanted: string, what: string): void {
    if (this.#next.text !== wanted || this.#next.kind === 'name')
      throw this.faultAt(this.#next.place, `Here must be ${what}.`);
    this.#advance();
  }

  /** Whether this word came next; it is then passed. */
  takeWord(word: string): boolean {
    const isNext = this.#next.kind === 'word' && this.#next.text === word;
    if (isNext) this.#advance();
    return isNext;
  }

  name(what: string): string {
    const { kind, text, place } = this.#next;
    if (kind === 'sign' || kind === 'end')
      throw this.faultAt(place, `Here must be the name of ${what}; write it in quotes if it has spaces or signs.`);
    this.#advance();
    return text;
  }

  /** All that is left. */
  takeRest(): { place: number; rest: string } {
    return { place: this.place, rest: this.#text.slice(this.place).trim() };
  }

  #advance(): void {
    this.#next = this.#read();
  }

  #read(): Token {
    const text = this.#text;
    let place = this.#end;
    while (place < text.length && blank.test(text[place]!)) place++;
    if (place >= text.length) return { kind: 'end', text: '', place: text.length };
    const first = text[place]!;
    if (first === '"' || first === "'") {
      const closing = text.indexOf(first, place + 1);
      if (closing < 0) throw this.faultAt(place, `The quote that begins here has no end.`);
      this.#end = closing + 1;
      return { kind: 'name', text: text.slice(place + 1, closing), place };
    }
    let end = place + 1;
    if (sign.test(first)) {
      if ((first === '<' || first === '>') && text[end] === '=') end++;
      this.#end = end;
      return { kind: 'sign', text: text.slice(place, end), place };
    }
    while (end < text.length && !blank.test(text[end]!) && !sign.test(text[end]!)) end++;
    this.#end = end;
    return { kind: 'word', text: text.slice(place, end), place };
  }
}
