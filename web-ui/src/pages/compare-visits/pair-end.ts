import { markVisit } from '../visit/visit-markers.ts';
import type { SeenVisit } from './seen-visit.ts';

/** When the last thing of a Visit is drawn, in ms from navigation start. */
export function endOf({ visit, waterfall, looks }: SeenVisit): number {
  return Math.max(waterfall?.endMs ?? 0, looks.at(-1)?.atMs ?? 0, ...markVisit(visit).map(({ atMs }) => atMs));
}
