import { observeEntries, observeKnownEntries, type EntryObserver } from './observe-entries.ts';
import { listen, listenWithin, page } from './page-natives.ts';

/** The least that the specification allows. https://w3c.github.io/event-timing/#sec-increasing-event-timing-threshold */
const durationThreshold = 16;

/** Everything that has to be watched from the start of the document, because it cannot be asked for afterwards. */
export interface Observations {
  resources: EntryObserver<PerformanceResourceTiming>;
  paints: EntryObserver<PerformanceEntry>;
  largestPaints: EntryObserver<LargestContentfulPaint>;
  /** Null where the browser does not report them, and in frames within the page. */
  layoutShifts: EntryObserver<LayoutShift> | null;
  longTasks: EntryObserver<PerformanceEntry> | null;
  /** Events that are interactions of a user; likewise. */
  interactions: EntryObserver<PerformanceEventTiming> | null;
  /** Marks and measures of the page's own; null in frames within the page. */
  userTimings: EntryObserver<PerformanceEntry> | null;
  elementEvents: ElementEvents;
  visibility: VisibilityObserver;
  closedShadowRoots: Map<Element, ShadowRoot>;
  /** Texts of style sheets that the page may not read, by URL. */
  styleSheetTexts: Map<string, string>;
}

export function observeFrame(): Observations {
  const isPage = window === window.parent;
  return {
    resources: observeEntries<PerformanceResourceTiming>('resource'),
    paints: observeEntries('paint'),
    largestPaints: observeEntries<LargestContentfulPaint>('largest-contentful-paint'),
    layoutShifts: isPage ? observeKnownEntries<LayoutShift>('layout-shift') : null,
    longTasks: isPage ? observeKnownEntries('longtask') : null,
    interactions: isPage ? observeInteractions() : null,
    userTimings: isPage ? observeEntries('mark', 'measure') : null,
    elementEvents: observeElementEvents(),
    visibility: observeVisibility(),
    closedShadowRoots: new Map(),
    styleSheetTexts: new Map(),
  };
}

/** Newer than the types that TypeScript knows. https://wicg.github.io/layout-instability/#sec-layout-shift */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

/** Events that may be of an interaction, and the first input, however short it was. Null where the browser does not say which events are of one interaction. */
function observeInteractions(): EntryObserver<PerformanceEventTiming> | null {
  const isKnown = typeof PerformanceEventTiming === 'function' && 'interactionId' in PerformanceEventTiming.prototype;
  return isKnown ? observeEntries<PerformanceEventTiming>({ type: 'event', durationThreshold }, 'first-input') : null;
}

interface VisibilityObserver {
  readonly wasEverHidden: boolean;
}

/** A hidden page neither paints nor loads as a user would see it. */
function observeVisibility(): VisibilityObserver {
  let wasEverHidden = page.visibilityState === 'hidden';
  listen(document, 'visibilitychange', () => {
    wasEverHidden ||= page.visibilityState === 'hidden';
  });
  return {
    get wasEverHidden() {
      return wasEverHidden;
    },
  };
}

export interface ElementEvent {
  atMs: number;
  failed: boolean;
}

interface ElementEvents {
  /** The last load or error event of an element; null when none was seen. */
  of(element: Element): ElementEvent | null;
  /** When an element had first loaded what has this address; undefined when none was seen. */
  whenLoaded(url: string): number | undefined;
}

/** As many as a Snapshot takes of resources. */
const mostLoads = 50_000;

/** Load and error events of images, frames and their like: the end of an object that no timing entry shows. */
function observeElementEvents(): ElementEvents {
  const events = new WeakMap<Element, ElementEvent>();
  const loads = new Map<string, number>();
  const watch = (type: 'load' | 'error') => {
    const keep = ({ target }: Event) => {
      if (!(target instanceof Element)) return;
      const atMs = performance.now();
      events.set(target, { atMs, failed: type === 'error' });
      const url = addressOf(target);
      if (type === 'load' && url !== null && !loads.has(url) && loads.size < mostLoads) loads.set(url, atMs);
    };
    // No window has those of elements that loaded (https://dom.spec.whatwg.org/#dom-event-get-the-parent).
    listenWithin(document, type, keep);
  };
  watch('load');
  watch('error');
  return { of: (element) => events.get(element) ?? null, whenLoaded: (url) => loads.get(url) };
}

/** What it shows, or is made of. */
function addressOf(element: Element): string | null {
  if (element instanceof HTMLImageElement) return element.currentSrc || element.src;
  if (element instanceof HTMLScriptElement) return element.src;
  return element instanceof HTMLLinkElement ? element.href : null;
}

/**
 * The place of this frame in the page: its index among `window.frames` of its parent, and so on upwards. These indices may be
 * read across origins. Null stands for a frame in a shadow tree, which its parent does not list.
 */
export function findFramePath(): (number | null)[] {
  const path: (number | null)[] = [];
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent)
    path.unshift(findFrameIndex(frame, frame.parent));
  return path;
}

export function findFrameIndex(frame: Window, parent: Window): number | null {
  const count = parent.length;
  // Without a list of all, as each of thousands of frames asks this.
  for (let index = 0; index < count; index++) if (parent[index] === frame) return index;
  return null;
}
