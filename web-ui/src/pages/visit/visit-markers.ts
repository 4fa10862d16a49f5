import type { MetricId } from '#core/metrics/index.ts';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';

/** A moment of a Visit that is drawn as a line through its waterfall. */
export interface VisitMarker {
  metric: MetricId;
  label: string;
  atMs: number;
  /** What distinguishes its line from the others, beside its colour. */
  dash: string;
}

const drawn: { metric: MetricId; label: string; dash: string }[] = [
  { metric: 'baseMs', label: 'base', dash: '' },
  { metric: 'viewportMs', label: 'viewport', dash: '6 3' },
  { metric: 'totalMs', label: 'total', dash: '2 2' },
  { metric: 'loadEventMs', label: 'load', dash: '8 3 2 3' },
  { metric: 'firstContentfulPaintMs', label: 'FCP', dash: '1 3' },
  { metric: 'largestContentfulPaintMs', label: 'LCP', dash: '12 3' },
];

export function markVisit({ readings }: Pick<VisitDetail, 'readings'>): VisitMarker[] {
  return drawn.flatMap((marker) => {
    const atMs = readings[marker.metric];
    return atMs === undefined ? [] : [{ ...marker, atMs }];
  });
}
