import type { FailedObjectsRule } from '#core/evaluation/failed-objects-rule.ts';
import type { VisitStatus } from '#core/protocol/api/listed-visit.ts';
import type { Cell } from '#core/comparison/comparison.ts';

/** Which Visits a number of failed ones leads to: of those that failed for lost objects, by the rule of the Evaluation, it is stored that they loaded, so all are listed. */
export function failedStatus({ lossyVisits }: Pick<Cell, 'lossyVisits'>, rule: FailedObjectsRule): VisitStatus | null {
  return rule === 'fail' && lossyVisits > 0 ? null : 'failed';
}
