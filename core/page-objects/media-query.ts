import { fromPlainObject, generate, type CssNodePlain } from 'css-tree';
import { readLength } from './css-length.ts';
import type { Display } from './display.ts';
import { parseCss } from './parse-css.ts';

/** Lists of people have a tenth of it. */
const maximumCharacters = 10_000;

/** Whether a list of media queries matches; one that is not understood does not. https://drafts.csswg.org/mediaqueries-5/ */
export function matchesMedia(text: string | undefined, display: Display): boolean {
  if (text === undefined || text.trim() === '') return true;
  const list = text.length > maximumCharacters ? null : parseCss(text, 'mediaQueryList');
  return list !== null && matchesMediaList(list, display);
}

/** The same for one that is parsed. */
export function matchesMediaList(list: CssNodePlain, display: Display): boolean {
  return list.type === 'MediaQueryList' && list.children.some((query) => matchesQuery(query, display));
}

function matchesQuery(query: CssNodePlain, display: Display): boolean {
  if (query.type !== 'MediaQuery') return false;
  const isOfType = query.mediaType === null || ['all', 'screen'].includes(query.mediaType.toLowerCase());
  const matches = isOfType && (query.condition === null || isTrue(query.condition, display));
  return query.modifier?.toLowerCase() === 'not' ? !matches : matches;
}

function isTrue(node: CssNodePlain, display: Display): boolean {
  switch (node.type) {
    case 'Condition':
      return isConditionTrue(node.children, (term) => isTrue(term, display));
    case 'Feature':
      return isFeatureTrue(node.name.toLowerCase(), node.value ? textOf(node.value) : null, display);
    case 'FeatureRange':
      return isRangeTrue(node, display);
    default:
      return false;
  }
}

/** Terms with `and` between them, or `or`, or `not` before one. */
export function isConditionTrue(nodes: readonly CssNodePlain[], isTermTrue: (term: CssNodePlain) => boolean): boolean {
  const isWord = (node: CssNodePlain, word: string) => node.type === 'Identifier' && node.name.toLowerCase() === word;
  if (nodes[0] && isWord(nodes[0], 'not')) return !isConditionTrue(nodes.slice(1), isTermTrue);
  const terms = nodes.filter(({ type }) => type !== 'Identifier').map(isTermTrue);
  return nodes.some((node) => isWord(node, 'or')) ? terms.includes(true) : !terms.includes(false);
}

/** What a desktop browser says of itself. */
const words = new Map(
  Object.entries({
    hover: 'hover',
    'any-hover': 'hover',
    pointer: 'fine',
    'any-pointer': 'fine',
    scripting: 'enabled',
    'prefers-color-scheme': 'light',
    'prefers-reduced-motion': 'no-preference',
    'prefers-reduced-data': 'no-preference',
    'prefers-contrast': 'no-preference',
    'forced-colors': 'none',
    'display-mode': 'browser',
    update: 'fast',
    'color-gamut': 'srgb',
    'inverted-colors': 'none',
    'dynamic-range': 'standard',
    scan: 'progressive',
    'overflow-block': 'scroll',
    'overflow-inline': 'scroll',
  }),
);
/** Of those, what a feature without a value says no to. */
const noWords = new Set(['none', 'no-preference']);

function isFeatureTrue(name: string, value: string | null, display: Display): boolean {
  const [, bound, feature] = /^(?:-webkit-)?(min-|max-)?(?:-webkit-)?(.*)$/.exec(name)!;
  if (feature === 'orientation')
    return value === null || value.toLowerCase() === (display.heightPx >= display.widthPx ? 'portrait' : 'landscape');
  const word = words.get(feature!);
  if (word !== undefined) return value === null ? !noWords.has(word) : value.toLowerCase() === word;
  const actual = numberOf(feature!, display);
  if (actual === null) return false;
  if (value === null) return actual !== 0;
  const wanted = readValue(feature!, value, display);
  if (wanted === null) return false;
  if (bound === 'min-') return actual >= wanted;
  return bound === 'max-' ? actual <= wanted : actual === wanted;
}

function isRangeTrue(node: CssNodePlain & { type: 'FeatureRange' }, display: Display): boolean {
  const { left, leftComparison, middle, rightComparison, right } = node;
  const [feature] = [left, middle, right].flatMap((part) =>
    part?.type === 'Identifier' && numberOf(part.name.toLowerCase(), display) !== null ? [part.name.toLowerCase()] : [],
  );
  if (feature === undefined) return false;
  const valueOf = (part: CssNodePlain) =>
    textOf(part).toLowerCase() === feature ? numberOf(feature, display) : readValue(feature, textOf(part), display);
  const isLeftTrue = compare(valueOf(left), leftComparison, valueOf(middle));
  return (
    isLeftTrue &&
    (rightComparison === null || right === null || compare(valueOf(middle), rightComparison, valueOf(right)))
  );
}

function compare(left: number | null, comparison: string, right: number | null): boolean {
  if (left === null || right === null) return false;
  switch (comparison) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return left === right;
  }
}

/** The features that have a number; null for any other. */
function numberOf(feature: string, { widthPx, heightPx, scaleRatio }: Display): number | null {
  switch (feature) {
    case 'width':
    case 'device-width':
      return widthPx;
    case 'height':
    case 'device-height':
      return heightPx;
    case 'aspect-ratio':
    case 'device-aspect-ratio':
      return widthPx / heightPx;
    case 'resolution':
    case 'device-pixel-ratio':
      return scaleRatio;
    case 'color':
      return 8;
    case 'color-index':
    case 'monochrome':
    case 'grid':
      return 0;
    default:
      return null;
  }
}

const perDppx: Record<string, number> = { dppx: 1, x: 1, dpi: 96, dpcm: 96 / 2.54 };

/** In device pixels for one CSS pixel; null for what is no resolution. */
export function readResolution(text: string): number | null {
  const resolution = /^([\d.]+)(dppx|x|dpi|dpcm)$/i.exec(text);
  return resolution && Number(resolution[1]) / perDppx[resolution[2]!.toLowerCase()]!;
}

function readValue(feature: string, text: string, display: Display): number | null {
  const ratio = /^([\d.]+)(?:\s*\/\s*([\d.]+))?$/.exec(text);
  if (ratio) return Number(ratio[1]) / Number(ratio[2] ?? 1);
  if (feature === 'resolution') return readResolution(text);
  return readLength(text, display);
}

function textOf(node: CssNodePlain): string {
  return generate(fromPlainObject(node));
}
