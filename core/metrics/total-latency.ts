import { findCountedObjects } from './find-counted-objects.ts';
import { measureLatestEnd } from './latest-end.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

/** Total page load latency: navigation start to the last byte of the base page and all its embedded objects. */
export function measureTotalLatency(snapshot: Snapshot): Measurement {
  // Before the load event more objects may come, even if all have ended by now.
  if (!findMainFrame(snapshot).navigation?.loadEventStart) return { reason: 'not-reached' };
  return measureLatestEnd(findCountedObjects(snapshot), findNavigationStart(snapshot));
}
