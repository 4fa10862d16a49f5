import { observeEntries, observeKnownEntries, type EntryObserver } from './observe-entries.ts';
import { listen, page } from './page-natives.ts';

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
}

/** Load and error events of images, frames and their like: the end of an object that no timing entry shows. */
function observeElementEvents(): ElementEvents {
  const events = new WeakMap<Element, ElementEvent>();
  const watch = (type: 'load' | 'error') => {
    const keep = ({ target }: Event) => {
      if (target instanceof Element) events.set(target, { atMs: performance.now(), failed: type === 'error' });
    };
    // These events do not bubble; only capturing sees them from above.
    addEventListener(type, keep, { capture: true, passive: true });
  };
  watch('load');
  watch('error');
  return { of: (element) => events.get(element) ?? null };
}
