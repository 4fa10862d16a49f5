import type { FrameSnapshot, ViewportNeed } from '#core/metrics/frame-snapshot.ts';
import { findFrameIndex, type Observations, type ElementEvent } from '../observe-frame.ts';
import { isDrawn, page, attributeOf, contentWindowOf, localNameOf, childNodesOf } from '../page-natives.ts';
import { collectFontFaces, readFamilyName, type FontFaceRule } from './collect-font-faces.ts';
import { findBlockingNeeds, readCssUrls, readNetworkUrl } from './find-blocking-needs.ts';
import { findElements } from './shadow-trees.ts';

/** What a Snapshot takes. Only `data:` URLs, whose content is their address, are longer on real pages. */
const maxLength = 65_536;

/**
 * The browser answers with its next frame; a page that it does not draw is never answered. In turns: one timer of a page that is busy, as with thousands of frames, ends
 * before the frame that it waits for.
 */
const turns = 20;
const turnMs = 100;

/** A page that is hidden has slow timers, and is not drawn. */
const hiddenTurns = 2;

const imageProperties = ['backgroundImage', 'maskImage', 'borderImageSource', 'content'] as const;

type ViewportParts = Pick<
  FrameSnapshot,
  'viewportNeeds' | 'opaqueStyleSheets' | 'undeclaredFontFamilies' | 'declaredFontUrls'
>;

/** What this frame's part of the initial viewport needs, as it stands now. */
export async function findViewportNeeds(observations: Observations): Promise<ViewportParts> {
  const { faces, opaqueStyleSheets } = collectFontFaces(observations.styleSheetTexts);
  const declaredFontUrls = [...new Set(faces.flatMap((face) => face.urls))];
  const areas = await measureVisibleAreas(findElements(observations.closedShadowRoots));
  if (!areas) return { viewportNeeds: null, opaqueStyleSheets, undeclaredFontFamilies: [], declaredFontUrls };

  const paintedMs = observations.paints.read().find(({ name }) => name === 'first-contentful-paint')?.startTime ?? null;
  addCanvas(areas);
  const shown = [...areas].filter(([element]) => isShown(element));
  const fonts = findUsedFonts(
    shown.map(([element]) => element),
    faces,
  );
  return {
    viewportNeeds: [
      ...shown.flatMap(([element, areaPx]) => [
        ...findElementNeed(element, { areaPx, event: observations.elementEvents.of(element) }),
        ...findCssImageUrls(element).map((url) => needOf('css-image', url, areaPx)),
      ]),
      ...fonts.urls.map((url) => needOf('font', url, null)),
      ...findBlockingNeeds(observations.resources.read(), paintedMs).map(({ kind, url }) => needOf(kind, url, null)),
    ],
    opaqueStyleSheets,
    undeclaredFontFamilies: fonts.undeclaredFamilies,
    declaredFontUrls,
  };
}

/** The whole viewport, or that of a frame, has the background of the root, or else of the body, however small these are. https://drafts.csswg.org/css-backgrounds/#special-backgrounds */
function addCanvas(areas: Map<Element, number>): void {
  for (const element of page.rootAndBody)
    if (!areas.has(element)) areas.set(element, window.innerWidth * window.innerHeight);
}

function isShown(element: Element): boolean {
  return isDrawn(element, { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });
}

function needOf(kind: ViewportNeed['kind'], url: string, areaPx: number | null): ViewportNeed {
  return { kind, url, areaPx, elementEventMs: null, failed: false, pending: false, frameIndex: null };
}

/** The images that style gives an element and what is generated before and after it. */
function findCssImageUrls(element: Element): string[] {
  const urls = [null, '::before', '::after'].flatMap((pseudoElement) => {
    const style = getComputedStyle(element, pseudoElement);
    // A pseudo-element without content is not generated, even if it has a style.
    if (pseudoElement && (style.content === 'none' || style.content === 'normal' || style.display === 'none'))
      return [];
    const values = imageProperties.map((property) => style[property]);
    // Inherited by every element, drawn by list items only, unless their marker has a content of its own.
    if (style.display.includes('list-item'))
      values.push(style.listStyleImage, getComputedStyle(element, '::marker').content);
    return values.filter((value) => value.includes('url(')).flatMap((value) => readCssUrls(value));
  });
  return [...new Set(urls)];
}

interface UsedFonts {
  /** Files that may draw the text: of several in one rule the browser fetches one. */
  urls: string[];
  /** Families that the document has as web fonts although no readable style sheet declares them. */
  undeclaredFamilies: string[];
}

/** The web fonts that the text of these elements is drawn with. */
function findUsedFonts(elements: readonly Element[], faces: readonly FontFaceRule[]): UsedFonts {
  const webFamilies = new Set(
    Array.from(page.fonts)
      .filter((font) => font.status !== 'unloaded')
      .map((font) => readFamilyName(font.family)),
  );
  if (webFamilies.size === 0) return { urls: [], undeclaredFamilies: [] };

  const facesByFamily = Map.groupBy(faces, (face) => face.family);
  const urls = new Set<string>();
  const undeclaredFamilies = new Set<string>();
  for (const text of mergeByFont(elements.flatMap(readShownTexts))) {
    for (const family of text.families.filter((name) => webFamilies.has(name))) {
      const declared = facesByFamily.get(family);
      if (!declared) undeclaredFamilies.add(family);
      else for (const face of chooseFontFaces(declared, text)) face.urls.forEach((url) => urls.add(url));
    }
  }
  return { urls: [...urls], undeclaredFamilies: [...undeclaredFamilies] };
}

/** Pages have many texts and few fonts: each font is looked at once, with all its characters. */
function mergeByFont(texts: readonly ShownText[]): ShownText[] {
  const groups = Map.groupBy(texts, ({ families, weight, style }) => [...families, weight, style].join());
  return Array.from(groups.values(), (group) => ({
    ...group[0]!,
    characters: [...new Set(group.map((text) => text.characters).join(''))].join(''),
  }));
}

/**
 * The faces of one family that draw a text: of those whose `unicode-range` has any of its characters, the ones nearest in style,
 * then in weight. A plain form of https://drafts.csswg.org/css-fonts/#font-style-matching
 */
function chooseFontFaces(faces: readonly FontFaceRule[], text: ShownText): FontFaceRule[] {
  const withCharacters = faces.filter((face) => coversAny(face.unicodeRange, text.characters));
  const isSlanted = (style: string) => /italic|oblique/.test(style);
  const sameStyle = withCharacters.filter((face) => isSlanted(face.style) === isSlanted(text.style));
  const candidates = sameStyle.length > 0 ? sameStyle : withCharacters;
  const distance = (face: FontFaceRule) => measureDistance(readWeightRange(face.weight), text.weight);
  const nearest = Math.min(...candidates.map(distance));
  return candidates.filter((face) => distance(face) === nearest);
}

/** A range such as `U+0000-00FF, U+4??`; an empty one covers everything. */
function coversAny(unicodeRange: string, characters: string): boolean {
  if (!unicodeRange) return true;
  const ranges = unicodeRange.split(',').map((part) => {
    const [from = '', to = from] = part.trim().replace(/^U\+/i, '').split('-');
    return { from: Number.parseInt(from.replaceAll('?', '0'), 16), to: Number.parseInt(to.replaceAll('?', 'F'), 16) };
  });
  return Array.from(characters).some((character) =>
    ranges.some(({ from, to }) => from <= character.codePointAt(0)! && character.codePointAt(0)! <= to),
  );
}

function readWeightRange(weight: string): { from: number; to: number } {
  const [from = 400, to = from] = weight.split(/\s+/).map((word) => ({ normal: 400, bold: 700 })[word] ?? Number(word));
  return { from, to };
}

/** CSS prefers any bolder weight for those above 500, and any lighter one up to that; but from 400 on, first those between it and 500. */
function measureDistance({ from, to }: { from: number; to: number }, weight: number): number {
  const isFirst = weight > 500 || (weight >= 400 && from <= 500);
  if (weight < from) return from - weight + (isFirst ? 0 : 2000);
  if (weight > to) return weight - to + 1000;
  return 0;
}

/**
 * The area, in CSS pixels, with which each element intersects the viewport of the whole page, clipped by the frames and scrollers
 * around it; elements of less than one pixel are left out. Null when the browser does not report it.
 */
async function measureVisibleAreas(elements: readonly Element[]): Promise<Map<Element, number> | null> {
  const areas = new Map<Element, number>();
  if (elements.length === 0) return areas;

  const answered = Promise.withResolvers<true>();
  let waitingFor = elements.length;
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, intersectionRect } of entries) {
      const area = intersectionRect.width * intersectionRect.height;
      if (isIntersecting && area >= 1) areas.set(target, area);
    }
    waitingFor -= entries.length;
    if (waitingFor <= 0) answered.resolve(true);
  });
  try {
    for (const element of elements) observer.observe(element);
    for (let turn = 0; turn < (page.visibilityState === 'hidden' ? hiddenTurns : turns); turn++)
      if (await Promise.race([answered.promise, passTurn()])) return areas;
    return null;
  } finally {
    observer.disconnect();
  }
}

function passTurn(): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, turnMs, false));
}

/** The object that an element shows by its own markup, if it shows one. */
function findElementNeed(element: Element, seen: { areaPx: number; event: ElementEvent | null }): ViewportNeed[] {
  const need = describe(element);
  if (!need) return [];
  const url = readNetworkUrl(need.address);
  // A frame is needed with any address: what a document without one (`srcdoc`) loads counts as well.
  if (url === null && need.kind !== 'frame') return [];
  return [
    {
      kind: need.kind,
      url: shortenUrl(url ?? need.address),
      areaPx: seen.areaPx,
      elementEventMs: seen.event?.atMs ?? null,
      failed: seen.event?.failed ?? false,
      pending: element instanceof HTMLImageElement && !element.complete,
      frameIndex: readFrameIndex(element),
    },
  ];
}

function describe(element: Element): { kind: ViewportNeed['kind']; address: string } | null {
  if (element instanceof HTMLImageElement) return { kind: 'image', address: element.currentSrc || element.src };
  if (element instanceof HTMLInputElement && element.type === 'image') return { kind: 'image', address: element.src };
  if (element instanceof SVGImageElement || (element instanceof SVGUseElement && !isOwnPart(element)))
    return { kind: 'svg-image', address: element.href.baseVal };
  if (element instanceof HTMLVideoElement) return { kind: 'poster', address: element.poster };
  if (element instanceof HTMLIFrameElement) return { kind: 'frame', address: element.src };
  if (localNameOf(element) === 'frame') return { kind: 'frame', address: attributeOf(element, 'src') ?? '' };
  if (element instanceof HTMLObjectElement)
    return { kind: contentWindowOf(element) ? 'frame' : 'embedded', address: element.data };
  if (element instanceof HTMLEmbedElement) return { kind: 'embedded', address: element.src };
  return null;
}

/** Whether it draws a part of this document once more. */
function isOwnPart({ href }: SVGUseElement): boolean {
  return readNetworkUrl(href.baseVal) === readNetworkUrl(location.href);
}

function readFrameIndex(element: Element): number | null {
  const content = contentWindowOf(element);
  return content && findFrameIndex(content, window);
}

/** A piece of text and the font that it asks for. */
interface ShownText {
  characters: string;
  families: string[];
  weight: number;
  style: string;
}

/** The text that stands directly in an element, and the text generated before and after it. */
function readShownTexts(element: Element): ShownText[] {
  const texts: ShownText[] = [];
  const own = readOwnText(element);
  if (own) texts.push({ characters: own, ...readFont(getComputedStyle(element)) });

  for (const pseudoElement of ['::before', '::after']) {
    const style = getComputedStyle(element, pseudoElement);
    const characters = style.display === 'none' ? '' : readGeneratedText(style.content, element);
    if (characters) texts.push({ characters, ...readFont(style) });
  }
  return texts;
}

function readOwnText(element: Element): string {
  if (element instanceof HTMLInputElement) return element.value || element.placeholder;
  if (element instanceof HTMLTextAreaElement) return element.value || element.placeholder;
  const nodes = childNodesOf(element).filter((node) => node instanceof Text);
  return nodes
    .map((node) => node.data)
    .join('')
    .trim();
}

/** Computed `content`, such as `"\f101" attr(data-icon) url("…")`: its strings, and what it takes from attributes and counters. */
function readGeneratedText(content: string, element: Element): string {
  const parts = content
    .replaceAll(/url\("(?:[^"\\]|\\.)*"\)/g, '')
    .matchAll(/"((?:[^"\\]|\\.)*)"|\battr\(\s*([\w-]+)|\bcounters?\(/g);
  // Of a counter, any digit stands for its number.
  return Array.from(parts, ([, text, name]) => text ?? (name ? attributeOf(element, name) : '1')).join('');
}

function readFont(style: CSSStyleDeclaration): Omit<ShownText, 'characters'> {
  return {
    families: style.fontFamily.split(',').map(readFamilyName),
    weight: Number(style.fontWeight),
    style: style.fontStyle,
  };
}

export function shortenUrl(url: string): string {
  return url.slice(0, maxLength);
}
