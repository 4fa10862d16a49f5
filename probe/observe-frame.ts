import { observeElementEvents, type ElementEvents } from './observe-element-events.ts';
import { observeEntries, observeKnownEntries, type EntryObserver } from './observe-entries.ts';
import { observeInteractions } from './observe-interactions.ts';
import { observeVisibility, type VisibilityObserver } from './observe-visibility.ts';
import type { LayoutShift } from './layout-shift.ts';

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
