import type { FrameSnapshot } from '#core/metrics/snapshot.ts';
import { describeNavigation, describeResource } from './describe-timing.ts';
import { findFramePath } from './frame-path.ts';
import type { Observations } from './observe-frame.ts';
import { page, queryAll } from './page-natives.ts';
import { reportResponsiveness } from './report-responsiveness.ts';
import { shortenUrl } from './shorten-url.ts';
import { reportUserTimings } from './user-timings.ts';
import { findViewportNeeds } from './viewport/find-viewport-needs.ts';

/** What a Snapshot takes. */
const mostAddresses = 10_000;

/** The last candidate: when it was painted, and from which address it came if it is an image. */
function reportLargestPaint({ largestPaints }: Observations) {
  const largest = largestPaints.read().at(-1);
  return {
    largestContentfulPaintMs: largest?.startTime ?? null,
    ...(largest && { largestContentfulPaintUrl: largest.url ? shortenUrl(largest.url) : null }),
  };
}

/** What was seen of this frame, as plain data. */
export async function reportFrame(observations: Observations): Promise<FrameSnapshot> {
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
    resources: observations.resources.read().map(describeResource),
    prefetchUrls: queryAll<HTMLLinkElement>(document, 'link[rel~=prefetch][href]')
      .slice(0, mostAddresses)
      .map((link) => shortenUrl(link.href)),
    ...viewport,
  };
}
