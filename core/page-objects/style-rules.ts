import { fromPlainObject, generate, type CssNodePlain } from 'css-tree';
import type { Referrer } from './choose-referrer.ts';
import type { Display } from './display.ts';
import { chooseCandidate, type ImageCandidate } from './image-candidates.ts';
import { matchesMediaList } from './media-query.ts';
import { parseCss } from './parse-css.ts';

/** What a style sheet may bring in. Addresses are as written. */
export interface StyleRules {
  /** One for other media is fetched too, and does not apply. */
  imports: { address: string; isApplied: boolean }[];
  rules: StyleRule[];
  fontFaces: FontFace[];
}

/** A rule that needs images or names fonts. */
export interface StyleRule {
  /** Pseudo-elements are left out: they stand for their element. */
  selector: string;
  images: string[];
  /** In lower case. */
  fontFamilies: string[];
  /** Where it is known whose rule it is. */
  referrer?: Referrer;
}

export interface FontFace {
  /** In lower case. */
  family: string;
  /** The first that a browser can read. */
  address: string;
  /** Code points that it is for, first and last of each range; null for all. */
  ranges: [number, number][] | null;
  /** Where it is known whose font it is. */
  referrer?: Referrer;
}

/** Reads a style sheet for one display: what is for other media is left out. Conditions on support and on containers are taken as met. */
export function readStyleSheet(text: string, display: Display): StyleRules {
  const found: StyleRules = { imports: [], rules: [], fontFaces: [] };
  const sheet = parseCss(text, 'stylesheet');
  const left = { characters: maximumSelectorCharacters };
  if (sheet?.type === 'StyleSheet') readBlock(sheet.children, { found, left, display, parentSelector: null });
  return found;
}

/** Images of a `style` attribute. */
export function readStyleAttribute(text: string, display: Display): Pick<StyleRule, 'images' | 'fontFamilies'> {
  const list = parseCss(text, 'declarationList');
  return list?.type === 'DeclarationList' ? readDeclarations(list.children, display) : { images: [], fontFamilies: [] };
}

/** Of a sheet in all: a selector that is nested has those that it is in, some several times, and each of these has others. */
const maximumSelectorCharacters = 2_000_000;

interface Place {
  found: StyleRules;
  /** How long further selectors may be. */
  left: { characters: number };
  display: Display;
  /** Of the rule that this one is nested in. */
  parentSelector: string | null;
}

function readBlock(nodes: readonly CssNodePlain[], place: Place): void {
  for (const node of nodes) {
    if (node.type === 'Atrule') readAtRule(node, place);
    if (node.type === 'Rule' && node.prelude.type === 'SelectorList')
      readRule(node.prelude.children, node.block.children, place);
  }
}

function readAtRule({ name, prelude, block }: CssNodePlain & { type: 'Atrule' }, place: Place): void {
  const conditions = prelude?.type === 'AtrulePrelude' ? prelude.children : [];
  const media = conditions.find(({ type }) => type === 'MediaQueryList');
  const matches = !media || matchesMediaList(media, place.display);
  if (name.toLowerCase() === 'import') {
    const [address] = conditions;
    if (address?.type === 'Url' || address?.type === 'String')
      place.found.imports.push({ address: address.value, isApplied: matches });
    return;
  }
  if (!matches) return;
  switch (name.toLowerCase()) {
    case 'font-face':
      return readFontFace(block?.children ?? [], place);
    case 'media':
    case 'supports':
    case 'layer':
    case 'container':
    case 'scope':
      return readBlock(block?.children ?? [], place);
  }
}

function readRule(selectors: readonly CssNodePlain[], block: readonly CssNodePlain[], place: Place): void {
  const { left, parentSelector } = place;
  const parentCount = selectors.reduce((count, each) => count + Math.max(1, countNestings(each)), 0);
  if (parentCount * (parentSelector?.length ?? 0) > left.characters) return;
  const selector = selectors.map((each) => describeSelector(each, parentSelector)).join(', ');
  left.characters -= selector.length;
  const needs = readDeclarations(block, place.display);
  if (needs.images.length > 0 || needs.fontFamilies.length > 0) place.found.rules.push({ selector, ...needs });
  readBlock(block, { ...place, parentSelector: selector });
}

const legacyPseudoElements = new Set(['before', 'after', 'first-line', 'first-letter']);

function describeSelector(node: CssNodePlain, parent: string | null): string {
  if (node.type !== 'Selector') return generate(fromPlainObject(node));
  const isPseudoElement = (part: CssNodePlain) =>
    part.type === 'PseudoElementSelector' ||
    (part.type === 'PseudoClassSelector' && legacyPseudoElements.has(part.name.toLowerCase()));
  const children = node.children.filter((part) => !isPseudoElement(part));
  const last = children.at(-1);
  // `::before` alone is any element's.
  if (!last || last.type === 'Combinator') children.push({ type: 'TypeSelector', name: '*' });
  const own = children
    .map((part) => (isNesting(part) ? `:is(${parent ?? ':root'})` : generate(fromPlainObject(part))))
    .join('');
  const isNested = parent !== null && !children.some(isNesting);
  return isNested ? `:is(${parent}) ${own}` : own;
}

function countNestings(selector: CssNodePlain): number {
  return selector.type === 'Selector' ? selector.children.filter(isNesting).length : 0;
}

/** `&`, which the types of css-tree do not know. */
function isNesting(node: CssNodePlain): boolean {
  return (node.type as string) === 'NestingSelector';
}

function readDeclarations(
  nodes: readonly CssNodePlain[],
  display: Display,
): Pick<StyleRule, 'images' | 'fontFamilies'> {
  const needs = nodes.flatMap((node): { family: string | null; image: string | null }[] => {
    if (node.type !== 'Declaration' || node.value.type !== 'Value') return [];
    const property = node.property.toLowerCase();
    return property === 'font-family' || property === 'font'
      ? readFamilies(node.value.children).map((family) => ({ family, image: null }))
      : readImages(node.value.children, display).map((image) => ({ family: null, image }));
  });
  return {
    images: needs.flatMap(({ image }) => image ?? []),
    fontFamilies: needs.flatMap(({ family }) => family ?? []),
  };
}

/** Addresses of a value, of an `image-set()` the one for the display. A fragment alone is of the document itself. */
function readImages(nodes: readonly CssNodePlain[], display: Display): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'Url') return node.value.startsWith('#') || node.value === '' ? [] : [node.value];
    if (node.type !== 'Function') return [];
    if (!/^(-webkit-)?image-set$/i.test(node.name)) return readImages(node.children, display);
    const chosen = chooseCandidate(readImageSet(node.children), display);
    return chosen === null ? [] : [chosen];
  });
}

function readImageSet(nodes: readonly CssNodePlain[]): ImageCandidate[] {
  return nodes.flatMap((node, index) => {
    if (node.type !== 'Url' && node.type !== 'String') return [];
    const next = nodes[index + 1];
    return [
      {
        url: node.value,
        density: next?.type === 'Dimension' && /^(x|dppx)$/i.test(next.unit) ? Number(next.value) : 1,
      },
    ];
  });
}

/** Names of a `font-family`, or of a `font`, whose other words are no names of fonts that a page brings. */
function readFamilies(nodes: readonly CssNodePlain[]): string[] {
  const families: string[] = [];
  let words: string[] = [];
  for (const node of [...nodes, null]) {
    if (node?.type === 'String') families.push(node.value.toLowerCase());
    else if (node?.type === 'Identifier') words.push(node.name.toLowerCase());
    else {
      if (words.length > 0) families.push(words.join(' '), words.at(-1)!);
      words = [];
    }
  }
  return [...new Set(families)];
}

const readableFormats =
  /^(woff2?|truetype|opentype|woff2?-variations|truetype-variations|opentype-variations|collection)$/i;

function readFontFace(nodes: readonly CssNodePlain[], { found }: Place): void {
  const declarations = new Map(
    nodes.flatMap((node) =>
      node.type === 'Declaration' && node.value.type === 'Value'
        ? [[node.property.toLowerCase(), node.value.children]]
        : [],
    ),
  );
  const [family] = readFamilies(declarations.get('font-family') ?? []);
  const address = findReadableSource(declarations.get('src') ?? []);
  const ranges = (declarations.get('unicode-range') ?? []).flatMap((node) =>
    node.type === 'UnicodeRange' ? [readRange(node.value)] : [],
  );
  if (family !== undefined && address !== null)
    found.fontFaces.push({ family, address, ranges: ranges.length > 0 ? ranges : null });
}

function findReadableSource(nodes: readonly CssNodePlain[]): string | null {
  for (const [index, node] of nodes.entries()) {
    if (node.type !== 'Url') continue;
    const next = nodes[index + 1];
    const [format] = next?.type === 'Function' && next.name.toLowerCase() === 'format' ? next.children : [];
    const name = format?.type === 'String' ? format.value : format?.type === 'Identifier' ? format.name : null;
    if (name === null || readableFormats.test(name)) return node.value;
  }
  return null;
}

/** `U+26`, `U+0-7F`, `U+4??` */
function readRange(text: string): [number, number] {
  const [first = '', last = first] = text.slice(2).split('-');
  return [Number.parseInt(first.replaceAll('?', '0'), 16), Number.parseInt(last.replaceAll('?', 'F'), 16)];
}
