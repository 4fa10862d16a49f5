import { parse, tokenize, tokenTypes, toPlainObject, type CssNodePlain } from 'css-tree';

/** Of blocks and brackets. People write a dozen; each takes a part of the stack in all that reads them. */
const mostNested = 500;

/** What is malformed is left out, as the standard asks; null where nothing is left, and where it is nested too deep. https://drafts.csswg.org/css-syntax-3/#error-handling */
export function parseCss(
  text: string,
  context: 'stylesheet' | 'declarationList' | 'mediaQueryList' | 'value',
): CssNodePlain | null {
  if (measureNesting(text) > mostNested) return null;
  try {
    return toPlainObject(parse(text, { context }));
  } catch (error) {
    // css-tree throws where it cannot continue, as after a bracket too many in a value.
    if ((error as Error).name === 'SyntaxError') return null;
    throw error;
  }
}

/** The parts of a value that has commas outside of brackets. */
export function splitByComma(nodes: readonly CssNodePlain[]): CssNodePlain[][] {
  return nodes.reduce<CssNodePlain[][]>(
    (parts, node) => {
      if (node.type === 'Operator' && node.value === ',') parts.push([]);
      else parts.at(-1)!.push(node);
      return parts;
    },
    [[]],
  );
}

const { Function, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket } = tokenTypes;
const opening: readonly number[] = [Function, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket];
const { RightParenthesis, RightSquareBracket, RightCurlyBracket } = tokenTypes;
const closing: readonly number[] = [RightParenthesis, RightSquareBracket, RightCurlyBracket];

function measureNesting(text: string): number {
  let [depth, deepest] = [0, 0];
  tokenize(text, (type) => {
    if (opening.includes(type)) deepest = Math.max(deepest, ++depth);
    else if (closing.includes(type)) depth = Math.max(0, depth - 1);
  });
  return deepest;
}
