import { parse, toPlainObject, type CssNodePlain } from 'css-tree';

/** What is malformed is left out, as the standard asks; null where nothing is left. https://drafts.csswg.org/css-syntax-3/#error-handling */
export function parseCss(
  text: string,
  context: 'stylesheet' | 'declarationList' | 'mediaQueryList' | 'value',
): CssNodePlain | null {
  try {
    return toPlainObject(parse(text, { context }));
  } catch (error) {
    // css-tree throws where it cannot continue, as after a bracket too many in a value. So does the engine where blocks are nested by the thousand.
    if (error instanceof RangeError || (error as Error).name === 'SyntaxError') return null;
    throw error;
  }
}
