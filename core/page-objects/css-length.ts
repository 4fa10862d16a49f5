import type { CssNodePlain } from 'css-tree';
import type { Display } from './display.ts';
import { parseCss, splitByComma } from './parse-css.ts';

/** The initial font size of browsers, which `em` and `rem` are of where nothing is drawn. */
const fontSizePx = 16;

const pxPerUnit = new Map(
  Object.entries({
    px: 1,
    in: 96,
    cm: 96 / 2.54,
    mm: 96 / 25.4,
    q: 96 / 101.6,
    pt: 96 / 72,
    pc: 16,
    em: fontSizePx,
    rem: fontSizePx,
    ex: fontSizePx / 2,
    ch: fontSizePx / 2,
  }),
);

/** No length of a page is longer. What is longer takes the more memory the longer it is: each operator copies what is before it. */
const maximumCharacters = 1000;

/** A CSS length in CSS pixels, `calc()` and its kin worked out; null for what is no length. https://drafts.csswg.org/css-values-4/ */
export function readLength(text: string, display: Display): number | null {
  const value = text.length > maximumCharacters ? null : parseCss(text, 'value');
  if (value?.type !== 'Value') return null;
  try {
    return computeSum(value.children, display);
  } catch (error) {
    if (error instanceof NotALength) return null;
    throw error;
  }
}

class NotALength extends Error {}

function fail(): never {
  throw new NotALength();
}

function computeSum(nodes: readonly CssNodePlain[], display: Display): number {
  const parts = nodes.filter(({ type }) => type !== 'WhiteSpace' && type !== 'Comment');
  const isOperator = (node: CssNodePlain | undefined, signs: string): node is CssNodePlain & { type: 'Operator' } =>
    node?.type === 'Operator' && signs.includes(node.value.trim());
  const place = parts.findLastIndex((node, index) => index > 0 && isOperator(node, '+-'));
  const inner = place === -1 ? parts.findLastIndex((node) => isOperator(node, '*/')) : place;
  if (inner === -1) return parts.length === 1 ? computeOne(parts[0]!, display) : fail();
  const left = computeSum(parts.slice(0, inner), display);
  const right = computeSum(parts.slice(inner + 1), display);
  switch ((parts[inner] as CssNodePlain & { type: 'Operator' }).value.trim()) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    default:
      return left / right;
  }
}

function computeOne(node: CssNodePlain, display: Display): number {
  switch (node.type) {
    case 'Number':
      return Number(node.value);
    case 'Dimension':
      return Number(node.value) * pxOf(node.unit.toLowerCase(), display);
    case 'Parentheses':
      return computeSum(node.children, display);
    case 'Function':
      return computeFunction(
        node.name.toLowerCase(),
        splitByComma(node.children).map((part) => computeSum(part, display)),
      );
    default:
      return fail();
  }
}

function computeFunction(name: string, values: readonly number[]): number {
  switch (name) {
    case 'calc':
      return values.length === 1 ? values[0]! : fail();
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'clamp':
      return values.length === 3 ? Math.max(values[0]!, Math.min(values[1]!, values[2]!)) : fail();
    default:
      return fail();
  }
}

function pxOf(unit: string, { widthPx, heightPx }: Display): number {
  const ofViewport = /^[sld]?v(w|h|i|b|min|max)$/.exec(unit)?.[1];
  if (ofViewport === 'min') return Math.min(widthPx, heightPx) / 100;
  if (ofViewport === 'max') return Math.max(widthPx, heightPx) / 100;
  if (ofViewport !== undefined) return ('wi'.includes(ofViewport) ? widthPx : heightPx) / 100;
  return pxPerUnit.get(unit) ?? fail();
}
