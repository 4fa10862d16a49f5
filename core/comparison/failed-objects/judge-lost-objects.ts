import type { FailedObjectsRule } from '../../evaluation/pages/page-load-rules.ts';
import type { LatencyId } from '../../metrics/index.ts';
import type { CountedVisit } from '../cells/counted-visit.ts';

export interface LoadedVisit extends CountedVisit {
  /** Null where the Visit failed itself, and where it is not known. */
  failedObjects: number | null;
  /** Missing, as are their absences, where nothing needs them. */
  latencies?: Record<LatencyId, number | null>;
  /** Why it lacks some latencies; null when it lacks none. */
  absences?: object | null;
}

const noLatencies = { baseMs: null, viewportMs: null, totalMs: null };

/**
 * Finds the Visits that lost objects, and applies the rule that the Evaluation declares to them, in every Scenario alike. What a page always loses is the fewest
 * failed objects that any Visit of the same URL by the same User Agent had, over all Rounds and Scenarios: an address that never answers is in every Visit, and no
 * loss. All that are above it lost objects. A Visit that a person excluded neither counts nor is judged.
 */
export function judgeLostObjects<Visit extends LoadedVisit>(
  visits: readonly Visit[],
  rule: FailedObjectsRule,
): Visit[] {
  let always: Map<string, Map<string, number>> | null = null;
  return visits.map((visit) => {
    // Most Visits have no failed objects, and so lost none.
    if (!isKnown(visit) || visit.failedObjects === 0) return visit;
    always ??= findAlwaysFailed(visits);
    const lostObjects = visit.failedObjects - always.get(visit.userAgent)!.get(visit.url)!;
    if (lostObjects === 0) return visit;
    switch (rule) {
      case 'count':
        return { ...visit, lostObjects };
      case 'exclude':
        return { ...visit, lostObjects, isLeftOut: true, latencies: noLatencies, absences: null };
      case 'fail':
        return { ...visit, lostObjects, isFailed: true, latencies: noLatencies, absences: null };
    }
  });
}

export function isKnown<Visit extends Pick<LoadedVisit, 'isExcluded' | 'failedObjects'>>(
  visit: Visit,
): visit is Visit & { failedObjects: number } {
  return !visit.isExcluded && visit.failedObjects !== null;
}

/** By User Agent and URL. */
function findAlwaysFailed(visits: readonly LoadedVisit[]): Map<string, Map<string, number>> {
  const always = new Map<string, Map<string, number>>();
  for (const visit of visits) {
    if (!isKnown(visit)) continue;
    const { userAgent, url, failedObjects } = visit;
    const byUrl = always.get(userAgent) ?? new Map<string, number>();
    always.set(userAgent, byUrl);
    byUrl.set(url, Math.min(failedObjects, byUrl.get(url) ?? Infinity));
  }
  return always;
}
