import { fromPlainObject, generate, type CssNodePlain } from 'css-tree';
import type { Referrer } from './choose-referrer.ts';
import type { Display } from './display.ts';
import { isReadableImage, type ImageCandidate } from './image-candidates.ts';
import { matchesMediaList, readResolution } from './media-query.ts';
import { parseCss, splitByComma } from './parse-css.ts';
import { isSupported } from './support-condition.ts';

/** What a style sheet may bring in. Addresses are as written. */
export interface StyleRules {
  /** One whose conditions are not met is fetched too, as in Chrome, and does not apply. */
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

/** Reads a style sheet for one display: what is for other media is left out. Conditions on containers are taken as met. Of one that does not apply, only imports are fetched. */
export function readStyleSheet(text: string, display: Display, isApplied = true): StyleRules {
  const found: StyleRules = { imports: [], rules: [], fontFaces: [] };
  const sheet = parseCss(text, 'stylesheet');
  if (sheet?.type !== 'StyleSheet') return found;
  const imports = listImports(sheet.children, display);
  if (!isApplied) return { ...found, imports: imports.map((each) => ({ ...each, isApplied })) };
  const left = { characters: maximumSelectorCharacters };
  readBlock(sheet.children, { found, left, display, parentSelector: null });
  return { ...found, imports };
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

/** At-rules that browsers know, but for those that may stand before an import. What is not known is passed over. */
const knownAtRules =
  /^(namespace|media|supports|layer|container|scope|font-face|(-webkit-)?keyframes|page|property|counter-style|font-feature-values|font-palette-values|starting-style|view-transition|position-try|function)$/i;

/** Those before any other rule: one behind is none. https://drafts.csswg.org/css-cascade-5/#at-import */
function listImports(nodes: readonly CssNodePlain[], display: Display): StyleRules['imports'] {
  const imports: StyleRules['imports'] = [];
  let hasBegun = false;
  for (const node of nodes) {
    if (node.type === 'Rule' && node.prelude.type === 'SelectorList') break;
    if (node.type !== 'Atrule') continue;
    if (node.name.toLowerCase() === 'import') {
      hasBegun = true;
      imports.push(...readImport(node, display));
      continue;
    }
    const mayStandBefore = node.name.toLowerCase() === 'layer' && node.block === null && !hasBegun;
    if (knownAtRules.test(node.name) && !mayStandBefore) break;
  }
  return imports;
}

function readImport({ prelude }: CssNodePlain & { type: 'Atrule' }, display: Display): StyleRules['imports'] {
  const [address, ...conditions] = prelude?.type === 'AtrulePrelude' ? prelude.children : [];
  if (address?.type !== 'Url' && address?.type !== 'String') return [];
  const isMet = (node: CssNodePlain) => {
    if (node.type === 'MediaQueryList') return matchesMediaList(node, display);
    return node.type !== 'Function' || node.name.toLowerCase() !== 'supports' || node.children.every(isSupported);
  };
  return [{ address: address.value, isApplied: conditions.every(isMet) }];
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
  switch (name.toLowerCase()) {
    case 'font-face':
      return readFontFace(block?.children ?? [], place);
    case 'media':
      // One that cannot be read matches nothing.
      if (prelude !== null && !conditions.some((list) => matchesMediaList(list, place.display))) return;
      return readContents(block?.children ?? [], place);
    case 'supports':
      if (!conditions.some(isSupported)) return;
      return readContents(block?.children ?? [], place);
    case 'layer':
    case 'container':
    case 'scope':
      return readContents(block?.children ?? [], place);
  }
}

/** Declarations are for the rule around them, also within a condition. https://drafts.csswg.org/css-nesting-1/#conditionals */
function readContents(nodes: readonly CssNodePlain[], place: Place): void {
  if (place.parentSelector !== null) {
    const needs = readDeclarations(nodes, place.display);
    const isNeedy = needs.images.length > 0 || needs.fontFamilies.length > 0;
    if (isNeedy) place.found.rules.push({ selector: place.parentSelector, ...needs });
  }
  readBlock(nodes, place);
}

function readRule(selectors: readonly CssNodePlain[], block: readonly CssNodePlain[], place: Place): void {
  const { left, parentSelector } = place;
  const parentCount = selectors.reduce((count, each) => count + Math.max(1, countNestings(each)), 0);
  if (parentCount * (parentSelector?.length ?? 0) > left.characters) return;
  const selector = selectors.map((each) => describeSelector(each, parentSelector)).join(', ');
  left.characters -= selector.length;
  readContents(block, { ...place, parentSelector: selector });
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

/** Properties whose images are fetched, each by what resets it too. In others, an address is for other browsers (`behavior`), or a trick to hide it from this one (`*background`). */
const imageSlots =
  /^(?:-webkit-)?(background|border-image|list-style|mask|mask-box-image|content|cursor|filter|backdrop-filter|clip-path|shape-outside|box-reflect)(?:-image|-source)?$/;
const fontSlots = /^font(-family)?$/;

/** Of several declarations that set the same, the last one counts that a browser can read. */
function readDeclarations(
  nodes: readonly CssNodePlain[],
  display: Display,
): Pick<StyleRule, 'images' | 'fontFamilies'> {
  const counting = new Map<string, { children: CssNodePlain[]; isImportant: boolean }>();
  for (const node of nodes) {
    if (node.type !== 'Declaration' || node.value.type !== 'Value') continue;
    const property = node.property.toLowerCase();
    const slot = fontSlots.test(property) ? 'font' : imageSlots.exec(property)?.[1];
    const isImportant = node.important !== false;
    const { children } = node.value;
    if (slot === undefined || isHack(node) || (counting.get(slot)?.isImportant && !isImportant)) continue;
    counting.set(slot, { children, isImportant });
  }
  const font = counting.get('font');
  counting.delete('font');
  return {
    images: Array.from(counting.values()).flatMap(({ children }) => readImages(children, display)),
    fontFamilies: font ? readFamilies(font.children) : [],
  };
}

/** A declaration for other browsers alone: by their functions, `!ie`, or the `\9` of old ones. */
function isHack({ important, value }: CssNodePlain & { type: 'Declaration' }): boolean {
  const isForeign = (node: CssNodePlain): boolean =>
    (node.type === 'Function' && (/^-(moz|ms|o)-/i.test(node.name) || node.children.some(isForeign))) ||
    (node.type === 'Identifier' && /^\\[09]/.test(node.name));
  if (typeof important === 'string' && important.toLowerCase() !== 'important') return true;
  return value.type === 'Value' && value.children.some(isForeign);
}

/** Addresses of a value, of an `image-set()` the one for the display. A fragment alone is of the document itself. */
function readImages(nodes: readonly CssNodePlain[], display: Display): string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'Url') return node.value.startsWith('#') || node.value === '' ? [] : [node.value];
    if (node.type !== 'Function') return [];
    if (!/^(-webkit-)?image-set$/i.test(node.name)) return readImages(node.children, display);
    return chooseOfSet(splitByComma(node.children).flatMap(readSetOption), display);
  });
}

/** The first that is sharp enough, as in Chrome (third_party/blink/renderer/core/css/css_image_set_value.cc). */
function chooseOfSet(options: readonly ImageCandidate[], { scaleRatio }: Display): string[] {
  const sorted = options.toSorted((a, b) => a.density - b.density);
  const sharpest = sorted.find(({ density }) => density === sorted.at(-1)!.density);
  const chosen = sorted.find(({ density }) => density >= scaleRatio) ?? sharpest;
  return chosen && chosen.url !== '' ? [chosen.url] : [];
}

/** One without an address is drawn, not fetched. None of a type that browsers cannot read. */
function readSetOption([image, ...rest]: readonly CssNodePlain[]): ImageCandidate[] {
  let density = 1;
  for (const node of rest) {
    if (node.type === 'Dimension') density = readResolution(`${node.value}${node.unit}`) ?? density;
    const [type] = node.type === 'Function' && node.name.toLowerCase() === 'type' ? node.children : [];
    if (type?.type === 'String' && !isReadableImage(type.value)) return [];
  }
  return [{ url: image?.type === 'Url' || image?.type === 'String' ? image.value : '', density }];
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
