import { findPageObjects } from './find-page-objects.ts';
import { measureLatestEnd } from './latest-end.ts';
import { findMainFrame, findNavigationStart } from './navigation-start.ts';
import type { Measurement } from './reading.ts';
import type { Snapshot } from './snapshot.ts';

/** Base page latency: navigation start to the last byte of the base page's HTML, redirects included. */
export function measureBaseLatency(snapshot: Snapshot): Measurement {
  const main = findMainFrame(snapshot);
  const document = findPageObjects(snapshot).find((object) => object.type === 'document' && object.frame === main);
  return document ? measureLatestEnd([document], findNavigationStart(snapshot)) : { reason: 'not-reached' };
}
