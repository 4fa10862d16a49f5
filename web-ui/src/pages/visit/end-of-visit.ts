import type { SeenVisit } from './use-seen-visit.ts';
import { markVisit } from './visit-markers.ts';

/** When the last thing of a Visit is drawn, in ms from navigation start. */
export function endOfVisit({ visit, waterfall, looks }: SeenVisit): number {
  return Math.max(waterfall?.endMs ?? 0, looks.at(-1)?.atMs ?? 0, ...markVisit(visit).map(({ atMs }) => atMs));
}
