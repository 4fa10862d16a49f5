import { isAfterSettling } from './find-counted-objects.ts';
import { findPageObjects } from './find-page-objects.ts';
import { findMainFrame } from './navigation-start.ts';
import { withoutFragment, type PageObject } from './page-object.ts';
import { outcomeOf } from './request-outcome.ts';
import type { FrameSnapshot, ViewportNeed } from './frame-snapshot.ts';
import type { Snapshot } from './snapshot.ts';

export interface ViewportObject {
  url: string;
  kind: ViewportNeed['kind'];
  /** Null where only its element shows it. */
  object: PageObject | null;
  /** Null when it had not arrived when the Snapshot was taken. */
  endEpochMs: number | null;
  /** False of one that may be needed only below the viewport: the difference could not be read. */
  isSure: boolean;
}

/** The objects that the initial viewport needs, once each, without the base page; null when the browser did not report which. */
export function findViewportObjects(snapshot: Snapshot): ViewportObject[] | null {
  const main = findMainFrame(snapshot);
  if (!main.viewportNeeds) return null;
  const objects = findPageObjects(snapshot);
  const found = findInFrame(main, {
    objects,
    byUrl: Map.groupBy(objects, ({ url }) => url),
    documentOf: listDocuments(objects),
    framesAt: Map.groupBy(snapshot.frames, ({ path }) => placeOf(path)),
    framesIn: Map.groupBy(snapshot.frames, ({ path }) => placeOf(path.slice(0, -1))),
    declaredFontUrls: new Set(snapshot.frames.flatMap((frame) => frame.declaredFontUrls)),
    hasSettled: snapshot.settled,
    isLate: isAfterSettling(snapshot),
  });
  // Of one that is needed twice, what is sure of it counts.
  const inOrder = found.toSorted((a, b) => Number(a.isSure) - Number(b.isSure));
  return [...new Map(inOrder.map((object) => [object.url, object])).values()];
}

/** What is looked for among thousands of objects and frames. */
interface Surroundings {
  objects: readonly PageObject[];
  byUrl: ReadonlyMap<string, readonly PageObject[]>;
  documentOf: ReadonlyMap<FrameSnapshot, PageObject>;
  framesAt: ReadonlyMap<string, readonly FrameSnapshot[]>;
  /** By the place of their parent. */
  framesIn: ReadonlyMap<string, readonly FrameSnapshot[]>;
  /** The font files that the readable style sheets of any frame declare. */
  declaredFontUrls: ReadonlySet<string>;
  hasSettled: boolean;
  /** Of what came to the viewport only after the page had settled. */
  isLate: (object: PageObject) => boolean;
}

/** The first of each frame. */
function listDocuments(objects: readonly PageObject[]): Map<FrameSnapshot, PageObject> {
  const documents = new Map<FrameSnapshot, PageObject>();
  for (const object of objects)
    if (object.type === 'document' && object.frame && !documents.has(object.frame)) documents.set(object.frame, object);
  return documents;
}

function placeOf(path: FrameSnapshot['path']): string {
  return JSON.stringify(path);
}

function findInFrame(frame: FrameSnapshot, surroundings: Surroundings): ViewportObject[] {
  const needs = frame.viewportNeeds ?? [];
  const { objects } = surroundings;
  // What is embedded may be a picture or a document.
  const isFramed = ({ kind }: ViewportNeed) => kind === 'frame' || kind === 'embedded';
  return [
    ...needs.filter((need) => !isFramed(need)).flatMap((need) => findNeeded(need, { frame, ...surroundings })),
    ...needs.filter(isFramed).flatMap((need) => findFramed(need, { frame, ...surroundings })),
    ...findUndeclaredFonts(frame, surroundings),
    ...findOpaqueImports(frame, objects),
  ];
}

/** An object that is nowhere to be found was not fetched: one candidate of several, or part of the document. */
function findNeeded(
  need: ViewportNeed,
  { frame, byUrl, hasSettled, isLate }: Surroundings & { frame: FrameSnapshot },
): ViewportObject[] {
  const { url, kind, failed } = need;
  const object = pickObject(need, { frame, byUrl });
  // The pictures of a camera have no end.
  if (object && (isLate(object) || object.type === 'media')) return [];
  if (object) return [{ url, kind, object, endEpochMs: object.endEpochMs, isSure: true }];
  // Of a page that had settled, nothing was in flight: it was asked for later, or never.
  if (need.pending && !hasSettled) return [{ url, kind, object: null, endEpochMs: null, isSure: true }];
  // Forbidden before it was asked for, or a frame without a document of the network: neither is an object.
  return need.elementEventMs === null || failed || kind === 'frame'
    ? []
    : [{ url, kind, object: null, endEpochMs: frame.timeOrigin + need.elementEventMs, isSure: true }];
}

/** A frame in the viewport: its own document, and of its objects those that its part of the viewport needs. */
function findFramed(
  need: ViewportNeed,
  { frame, ...surroundings }: Surroundings & { frame: FrameSnapshot },
): ViewportObject[] {
  const child = findChild(need, { frame, ...surroundings });
  if (!child) return findNeeded(need, { frame, ...surroundings });
  const document = surroundings.documentOf.get(child);
  if (document && surroundings.isLate(document)) return [];
  const own: ViewportObject[] = document
    ? [{ url: document.url, kind: need.kind, object: document, endEpochMs: document.endEpochMs, isSure: true }]
    : [];
  return [...own, ...findInFrame(child, surroundings)];
}

/** By its index in the parent; frames in shadow trees have none, and `embed` gives none: these are distinguished by their address, or the one that led to it. */
function findChild(
  { kind, url, frameIndex }: ViewportNeed,
  {
    frame,
    framesAt,
    framesIn,
    documentOf,
  }: { frame: FrameSnapshot } & Pick<Surroundings, 'framesAt' | 'framesIn' | 'documentOf'>,
): FrameSnapshot | undefined {
  const candidates =
    kind === 'embedded'
      ? (framesIn.get(placeOf(frame.path)) ?? []).filter(({ path }) => path.length > 0)
      : (framesAt.get(placeOf([...frame.path, frameIndex])) ?? []);
  if (frameIndex !== null) return candidates[0];
  const address = withoutFragment(url);
  return (
    candidates.find((candidate) => withoutFragment(candidate.url) === address) ??
    candidates.find((candidate) => documentOf.get(candidate)?.url === address)
  );
}

/**
 * The fetch of a URL that is shown: of those of the frame itself where it made any, the first, or a later one after a failed one, or in another mode. A preload in a mode that the
 * element does not use cannot be shown, and the browser fetches again (https://html.spec.whatwg.org/#consume-a-preloaded-resource). A fetch by a
 * script after it shows nothing.
 */
function pickObject(
  { url, kind }: ViewportNeed,
  { frame, byUrl }: { frame: FrameSnapshot } & Pick<Surroundings, 'byUrl'>,
): PageObject | undefined {
  const address = withoutFragment(url);
  // A browser may have made it secure before it asked: markup and style have what the page wrote.
  const found = byUrl.get(address) ?? byUrl.get(address.replace(/^http:/, 'https:')) ?? [];
  const matches = found.toSorted((a, b) => a.startEpochMs - b.startEpochMs);
  const own = matches.filter((object) => object.frame === frame);
  const candidates = own.length > 0 ? own : matches;
  const [first] = candidates;
  if (!first || !(isAhead(first) || showsNothing(first))) return first;
  const isShown = (object: PageObject) =>
    isShownBy(object, kind) && cameOverNetwork(object) && (isAhead(first) || !showsNothing(object));
  return candidates.slice(1).find(isShown) ?? first;
}

/** It failed, or was given up: what is shown came by a later fetch. */
function showsNothing({ failed, hops }: PageObject): boolean {
  return failed || (hops.length > 0 && outcomeOf(hops.at(-1)!) === 'given-up');
}

/** Of a preload or an early hint; a style sheet of a `link` looks the same. */
function isAhead({ entry }: PageObject): boolean {
  return entry !== null && ['link', 'early-hints'].includes(entry.initiatorType);
}

/** What Resource Timing says of the fetches of those that show something. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-initiatortype */
const initiatorTypes: Record<ViewportNeed['kind'], readonly string[]> = {
  image: ['img', 'image', 'input'],
  'svg-image': ['image', 'img', 'use', 'other'],
  poster: ['video', 'img'],
  embedded: ['object', 'embed'],
  'css-image': ['css', 'img', 'image'],
  font: ['css'],
  'style-sheet': ['link', 'css'],
  script: ['script'],
  frame: ['iframe', 'frame', 'object', 'embed'],
};

function isShownBy({ entry }: PageObject, kind: ViewportNeed['kind']): boolean {
  return entry !== null && initiatorTypes[kind].includes(entry.initiatorType);
}

/** What the browser had already is shown with its first fetch. */
function cameOverNetwork({ hops, entry }: PageObject): boolean {
  if (hops.length > 0) return hops.some(({ fromCache }) => !fromCache);
  // Both are 0 of what another origin hides.
  return entry !== null && (entry.transferSize > 0 || entry.encodedBodySize === 0);
}

/**
 * Font files that no readable style sheet declares, where visible text uses a font of which the same is true. Where a style sheet could not be read,
 * one of several may be of a font that only text below the viewport uses.
 */
function findUndeclaredFonts(
  frame: FrameSnapshot,
  { objects, declaredFontUrls }: Pick<Surroundings, 'objects' | 'declaredFontUrls'>,
): ViewportObject[] {
  if (frame.undeclaredFontFamilies.length === 0) return [];
  const fonts = objects.filter(({ type, url }) => type === 'font' && !declaredFontUrls.has(url));
  const isSure = frame.opaqueStyleSheets.length === 0 || fonts.length === 1;
  return fonts.map((object) => ({ url: object.url, kind: 'font', object, endEpochMs: object.endEpochMs, isSure }));
}

/** What a style sheet imports that the page may not read: the probe has no entry for it. */
function findOpaqueImports(frame: FrameSnapshot, objects: readonly PageObject[]): ViewportObject[] {
  const blocking = new Set(
    (frame.viewportNeeds ?? []).filter((need) => need.kind === 'style-sheet').map((need) => need.url),
  );
  const found: ViewportObject[] = [];
  if (blocking.size === 0) return found;
  // An imported sheet comes after the one that imports it.
  for (const object of objects.toSorted((a, b) => a.startEpochMs - b.startEpochMs)) {
    const { type, url, hops, endEpochMs } = object;
    const initiatorUrl = hops[0]?.initiatorUrl;
    if (type !== 'style-sheet' || !initiatorUrl || !blocking.has(initiatorUrl) || blocking.has(url)) continue;
    blocking.add(url);
    found.push({ url, kind: 'style-sheet', object, endEpochMs, isSure: true });
  }
  return found;
}
