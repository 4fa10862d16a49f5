import { makeJourneyProbe, type JourneyProbe } from './journey-probe.ts';
import { listEnds, type ResourceEnd } from './observe-entries.ts';
import { observeFrame, findFramePath, type Observations } from './observe-frame.ts';
import { hasMark, reportUserTimings } from './user-timings.ts';
import { page, queryAll } from './page-natives.ts';
import type { FrameSnapshot, NavigationEntry, ResourceEntry } from '#core/metrics/frame-snapshot.ts';
import { reportResponsiveness } from './report-responsiveness.ts';
import { HostList } from './viewport/shadow-trees.ts';
import { findViewportNeeds, shortenUrl } from './viewport/find-viewport-needs.ts';

/** Newer than the types that TypeScript knows. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-renderblockingstatus */
interface RenderBlockingStatus {
  renderBlockingStatus?: 'blocking' | 'non-blocking';
}

/** Likewise. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-finalresponseheadersstart */
interface FinalResponse {
  finalResponseHeadersStart?: number;
}

/** Likewise. https://wicg.github.io/nav-speculation/prerendering.html#performance-navigation-timing-extension */
interface Activation {
  activationStart?: number;
}

/** As that of `core/metrics/whole-microseconds.ts`: the probe imports types only. */
const toMicroseconds = (ms: number) => Math.round(ms * 1000) / 1000;

/** What a Snapshot takes. */
const mostAddresses = 10_000;

declare global {
  var httpAeProbe: Probe | undefined;
}

/** Runs in an isolated world of every frame at document start; running it again in the same document changes nothing. */
if (globalThis.httpAeProbe?.document !== document) {
  const observations = observeFrame();
  const hosts = new HostList();
  globalThis.httpAeProbe = {
    document,
    status: readStatus,
    hasMark: (names) => hasMark(observations, names),
    listEnds: (urls) => listEnds(observations.resources, urls),
    report: () => reportFrame(observations),
    countElements: () => queryAll(document, '*').length,
    listHosts: () => hosts.next(observations.closedShadowRoots),
    addShadowRoot: (root) => observations.closedShadowRoots.set(root.host, root),
    addStyleSheet: ({ url, text }) => observations.styleSheetTexts.set(url, text),
    journey: makeJourneyProbe(observations),
  };
}

function readStatus(): FrameStatus {
  return {
    pendingImageCount: page.images.filter(isPending).length,
    isLoadingFonts: page.fonts.status === 'loading',
  };
}

/** A lazy image far from the viewport is never asked for: it is not waited for either. */
function isPending(image: HTMLImageElement): boolean {
  return !image.complete && image.loading !== 'lazy';
}

/** The last candidate: when it was painted, and from which address it came if it is an image. */
function reportLargestPaint({ largestPaints }: Observations) {
  const largest = largestPaints.read().at(-1);
  return {
    largestContentfulPaintMs: largest?.startTime ?? null,
    ...(largest && { largestContentfulPaintUrl: largest.url ? shortenUrl(largest.url) : null }),
  };
}

/** What was seen of this frame, as plain data. */
async function reportFrame(observations: Observations): Promise<FrameSnapshot> {
  const viewport = await findViewportNeeds(observations);
  const paintedAt = (name: string) =>
    observations.paints.read().find((entry) => entry.name === name)?.startTime ?? null;
  return {
    path: findFramePath(),
    url: shortenUrl(location.href),
    title: page.title.slice(0, 1024),
    timeOrigin: performance.timeOrigin,
    visibilityState: page.visibilityState,
    wasEverHidden: observations.visibility.wasEverHidden,
    navigation: describeNavigation(),
    firstPaintMs: paintedAt('first-paint'),
    firstContentfulPaintMs: paintedAt('first-contentful-paint'),
    ...reportLargestPaint(observations),
    ...reportResponsiveness(observations),
    ...reportUserTimings(observations),
    resources: observations.resources.read().map((entry) => describeResource(entry, observations)),
    prefetchUrls: queryAll<HTMLLinkElement>(document, 'link[rel~=prefetch][href]')
      .slice(0, mostAddresses)
      .map((link) => shortenUrl(link.href)),
    ...viewport,
  };
}

/** The parts of a timing entry that both resources and the navigation have, as plain data. */
function describeTiming(entry: PerformanceResourceTiming & FinalResponse) {
  const { finalResponseHeadersStart = 0 } = entry;
  return {
    name: shortenUrl(entry.name),
    startTime: toMicroseconds(entry.startTime),
    redirectStart: toMicroseconds(entry.redirectStart),
    redirectEnd: toMicroseconds(entry.redirectEnd),
    fetchStart: toMicroseconds(entry.fetchStart),
    domainLookupStart: toMicroseconds(entry.domainLookupStart),
    domainLookupEnd: toMicroseconds(entry.domainLookupEnd),
    connectStart: toMicroseconds(entry.connectStart),
    connectEnd: toMicroseconds(entry.connectEnd),
    secureConnectionStart: toMicroseconds(entry.secureConnectionStart),
    requestStart: toMicroseconds(entry.requestStart),
    responseStart: toMicroseconds(entry.responseStart),
    ...(finalResponseHeadersStart > entry.responseStart && {
      finalResponseHeadersStart: toMicroseconds(finalResponseHeadersStart),
    }),
    responseEnd: toMicroseconds(entry.responseEnd),
    nextHopProtocol: entry.nextHopProtocol,
    transferSize: entry.transferSize,
    encodedBodySize: entry.encodedBodySize,
    decodedBodySize: entry.decodedBodySize,
    responseStatus: entry.responseStatus || null,
    ...describeServerTime(entry),
  };
}

/** A header may say anything, such as an instant. */
const longestServerMs = 1e12;

/** As `core/metrics/server-timing.ts` reads it from a header. */
function describeServerTime({ serverTiming = [] }: Partial<PerformanceResourceTiming>): { serverMs?: number } {
  const said = serverTiming.filter(({ duration }) => duration > 0 && duration < longestServerMs);
  const total = said.find(({ name }) => name.toLowerCase() === 'total');
  const serverMs = total?.duration ?? Math.max(0, ...said.map(({ duration }) => duration));
  return serverMs > 0 ? { serverMs } : {};
}

function describeResource(
  entry: PerformanceResourceTiming & RenderBlockingStatus,
  { elementEvents }: Observations,
): ResourceEntry {
  // So Firefox ends what a service worker answered.
  const elementEventMs = entry.responseEnd <= entry.startTime ? elementEvents.whenLoaded(entry.name) : undefined;
  return {
    ...describeTiming(entry),
    initiatorType: entry.initiatorType,
    renderBlockingStatus: entry.renderBlockingStatus ?? null,
    ...(elementEventMs !== undefined && { elementEventMs }),
  };
}

function describeNavigation(): NavigationEntry | null {
  const [entry] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & Activation)[];
  if (!entry) return null;
  return {
    ...describeTiming(entry),
    type: entry.type,
    redirectCount: entry.redirectCount,
    domInteractive: toMicroseconds(entry.domInteractive),
    domContentLoadedEventStart: toMicroseconds(entry.domContentLoadedEventStart),
    domContentLoadedEventEnd: toMicroseconds(entry.domContentLoadedEventEnd),
    loadEventStart: toMicroseconds(entry.loadEventStart),
    loadEventEnd: toMicroseconds(entry.loadEventEnd),
    ...(entry.activationStart && { activationStart: toMicroseconds(entry.activationStart) }),
    legacyResponseEndEpochMs: readLegacyResponseEnd(),
  };
}

/** Deprecated, and read all the same: the only right value in Firefox. */
function readLegacyResponseEnd(): number | null {
  const { timing } = performance as { timing?: { responseEnd: number } };
  return timing?.responseEnd ? timing.responseEnd : null;
}

/** What the probe offers to the engine, as one global of its isolated world. */
interface Probe {
  /** The document it observes: a window may outlive its first, empty document. */
  readonly document: Document;
  /** Cheap enough to ask while a page settles. */
  status(): FrameStatus;
  /** Whether the page has set a User Timing mark of one of these names; false in frames within it. */
  hasMark(names: readonly string[]): boolean;
  /** The ends of what this frame fetched from these addresses. */
  listEnds(urls: readonly string[]): ResourceEnd[];
  /** What was seen of this frame so far. */
  report(): Promise<FrameSnapshot>;
  /** Those of the document, without its shadow trees. */
  countElements(): number;
  /** Some elements that may have a closed shadow tree, others at each call; empty at the end. */
  listHosts(): Element[];
  /** Makes a closed shadow tree known, which only the engine can see. */
  addShadowRoot(root: ShadowRoot): void;
  /** Makes the rules of a style sheet known that the page may not read. */
  addStyleSheet(sheet: StyleSheetText): void;
  readonly journey: JourneyProbe;
}

interface FrameStatus {
  /** Images that load at once and have neither arrived nor failed. */
  pendingImageCount: number;
  isLoadingFonts: boolean;
}

export interface StyleSheetText {
  url: string;
  text: string;
}
