import { z } from 'zod';

/** What a formula may name: the emulated link of a Scenario, with all segments of its path. */
export const linkFigureIds = ['rttMs', 'forwardKbps', 'returnKbps'] as const;
export type LinkFigureId = (typeof linkFigureIds)[number];

/** Null where the figure is no one number, such as a rate that changes. */
export type LinkFigures = Readonly<Record<LinkFigureId, number | null>>;

type Operator = '+' | '-' | '*' | '/';

type Formula =
  | { kind: 'number'; value: number }
  | { kind: 'figure'; id: LinkFigureId }
  | { kind: 'operation'; operator: Operator; left: Formula; right: Formula };

const maximumLength = 200;
const tokenPattern = /\s*(\d+(?:\.\d+)?|[A-Za-z]\w*|[-+*/()])/y;

/** A calculation with numbers, `+ - * / ( )` and figures of the link: `2.1 * rttMs / 6`. */
export const FormulaSchema = z.string().superRefine((text, context) => {
  try {
    parseFormula(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as RangeError).message });
  }
});

/** Null where a figure of the link is no one number. Throws RangeError for a text that is no formula. */
export function evaluateFormula(text: string, link: LinkFigures): number | null {
  const valueOf = (formula: Formula): number => {
    switch (formula.kind) {
      case 'number':
        return formula.value;
      case 'figure':
        return link[formula.id] ?? NaN;
      case 'operation':
        return apply(formula.operator, valueOf(formula.left), valueOf(formula.right));
    }
  };
  const value = valueOf(parseFormula(text));
  return Number.isFinite(value) ? value : null;
}

function apply(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
  }
}

/** By recursive descent. Throws RangeError, with the place. */
function parseFormula(text: string): Formula {
  if (text.length > maximumLength) throw new RangeError(`must have at most ${maximumLength} characters`);
  const tokens = listTokens(text);
  let next = 0;
  const takeOneOf = <Token extends string>(wanted: readonly Token[]): Token | null => {
    const token = tokens[next] as Token | undefined;
    if (token === undefined || !wanted.includes(token)) return null;
    next += 1;
    return token;
  };
  const readChain = (readTerm: () => Formula, operators: readonly Operator[]): Formula => {
    let left = readTerm();
    for (let operator = takeOneOf(operators); operator !== null; operator = takeOneOf(operators))
      left = { kind: 'operation', operator, left, right: readTerm() };
    return left;
  };
  const readSum = () => readChain(readProduct, ['+', '-']);
  const readProduct = () => readChain(readTerm, ['*', '/']);
  const readTerm = (): Formula => {
    if (takeOneOf(['-']))
      return { kind: 'operation', operator: '-', left: { kind: 'number', value: 0 }, right: readTerm() };
    if (takeOneOf(['('])) {
      const inner = readSum();
      if (!takeOneOf([')'])) throw new RangeError(`"${text}" lacks a ")"`);
      return inner;
    }
    const id = takeOneOf(linkFigureIds);
    if (id) return { kind: 'figure', id };
    const token = tokens[next];
    if (token === undefined || !/^\d/.test(token))
      throw new RangeError(
        `"${text}": ${token === undefined ? 'its end' : `"${token}"`} must be a number or one of ${linkFigureIds.join(', ')}`,
      );
    next += 1;
    return { kind: 'number', value: Number(token) };
  };
  const formula = readSum();
  if (next < tokens.length) throw new RangeError(`"${text}": "${tokens[next]}" must be one of + - * /`);
  return formula;
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
