import type { FailedObjectsRule } from '../evaluation/failed-objects-rule.ts';
import { judgeLostObjects, type LoadedVisit } from '../comparison/failed-objects/judge-lost-objects.ts';

const unread = { baseMs: null, viewportMs: null, totalMs: null };

/** The Visits that count by the rule that the Evaluation declares for lost objects, without those that failed or that a person excluded. */
export function leaveOutLossyVisits<Visit extends Omit<LoadedVisit, 'latencies' | 'absences'>>(
  visits: readonly Visit[],
  rule: FailedObjectsRule,
): Visit[] {
  const judged = judgeLostObjects(
    visits.map((visit) => ({ ...visit, latencies: unread, absences: null })),
    rule,
  );
  return visits.filter((_, index) => {
    const { isFailed, isExcluded, isLeftOut = false } = judged[index]!;
    return !isFailed && !isExcluded && !isLeftOut;
  });
}
