import { z } from 'zod';

/** What a formula may name: the emulated link of a Scenario, with all segments of its path. */
export const linkFigureIds = ['rttMs', 'forwardKbps', 'returnKbps'] as const;
export type LinkFigureId = (typeof linkFigureIds)[number];

/** Null where the figure is no one number, such as a rate that changes. */
export type LinkFigures = Readonly<Record<LinkFigureId, number | null>>;

const maximumLength = 200;
const tokenPattern = /\s*(\d+(?:\.\d+)?|[A-Za-z]\w*|[-+*/()])/y;

/** A calculation with numbers, `+ - * / ( )` and figures of the link: `2.1 * rttMs / 6`. */
export const FormulaSchema = z.string().superRefine((text, context) => {
  try {
    calculate(text, { rttMs: null, forwardKbps: null, returnKbps: null });
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as RangeError).message });
  }
});

/** Null where a figure of the link is no one number. Throws RangeError for a text that is no formula. */
export function evaluateFormula(text: string, link: LinkFigures): number | null {
  const value = calculate(text, link);
  return Number.isFinite(value) ? value : null;
}

/** By recursive descent; NaN where a figure of the link is no one number. Throws RangeError, with the place. */
function calculate(text: string, link: LinkFigures): number {
  if (text.length > maximumLength) throw new RangeError(`must have at most ${maximumLength} characters`);
  const tokens = listTokens(text);
  let next = 0;
  const takeOneOf = <Token extends string>(wanted: readonly Token[]): Token | null => {
    const token = tokens[next] as Token | undefined;
    if (token === undefined || !wanted.includes(token)) return null;
    next += 1;
    return token;
  };
  const readSum = (): number => {
    let sum = readProduct();
    for (let sign = takeOneOf(['+', '-']); sign !== null; sign = takeOneOf(['+', '-']))
      sum += sign === '+' ? readProduct() : -readProduct();
    return sum;
  };
  const readProduct = (): number => {
    let product = readTerm();
    for (let sign = takeOneOf(['*', '/']); sign !== null; sign = takeOneOf(['*', '/']))
      product = sign === '*' ? product * readTerm() : product / readTerm();
    return product;
  };
  const readTerm = (): number => {
    if (takeOneOf(['-'])) return 0 - readTerm();
    if (takeOneOf(['('])) {
      const inner = readSum();
      if (!takeOneOf([')'])) throw new RangeError(`"${text}" lacks a ")"`);
      return inner;
    }
    const id = takeOneOf(linkFigureIds);
    if (id) return link[id] ?? NaN;
    const token = tokens[next];
    if (token === undefined || !/^\d/.test(token))
      throw new RangeError(
        `"${text}": ${token === undefined ? 'its end' : `"${token}"`} must be a number or one of ${linkFigureIds.join(', ')}`,
      );
    next += 1;
    return Number(token);
  };
  const value = readSum();
  if (next < tokens.length) throw new RangeError(`"${text}": "${tokens[next]}" must be one of + - * /`);
  return value;
}

function listTokens(text: string): string[] {
  const tokens: string[] = [];
  const pattern = new RegExp(tokenPattern);
  for (const end = text.trimEnd().length; pattern.lastIndex < end;) {
    const from = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found) throw new RangeError(`"${text}": "${text.slice(from).trim()[0]}" is no part of a formula`);
    tokens.push(found[1]!);
  }
  return tokens;
}
