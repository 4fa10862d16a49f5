import { observeElementEvents, type ElementEvents } from './observe-element-events.ts';
import { observeEntries, type EntryObserver } from './observe-entries.ts';
import { observeVisibility, type VisibilityObserver } from './observe-visibility.ts';

/** Everything that has to be watched from the start of the document, because it cannot be asked for afterwards. */
export interface Observations {
  resources: EntryObserver<PerformanceResourceTiming>;
  paints: EntryObserver<PerformanceEntry>;
  largestPaints: EntryObserver<LargestContentfulPaint>;
  elementEvents: ElementEvents;
  visibility: VisibilityObserver;
  closedShadowRoots: Map<Element, ShadowRoot>;
  /** Texts of style sheets that the page may not read, by URL. */
  styleSheetTexts: Map<string, string>;
}

export function observeFrame(): Observations {
  return {
    resources: observeEntries<PerformanceResourceTiming>('resource'),
    paints: observeEntries('paint'),
    largestPaints: observeEntries<LargestContentfulPaint>('largest-contentful-paint'),
    elementEvents: observeElementEvents(),
    visibility: observeVisibility(),
    closedShadowRoots: new Map(),
    styleSheetTexts: new Map(),
  };
}
