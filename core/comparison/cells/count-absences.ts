import { z } from 'zod';
import { latencyIds } from '../../metrics/index.ts';
import { AbsenceReasonSchema } from '../../metrics/metric-definition.ts';
import type { RecordedVisit } from '../../record/run-record.ts';

/** Visits of a Scenario that loaded and have no value of a metric, for one reason. */
export const AbsenceCountSchema = z.object({
  metric: z.enum(latencyIds),
  scenario: z.string(),
  reason: AbsenceReasonSchema,
  visits: z.number().int(),
});
export type AbsenceCount = z.infer<typeof AbsenceCountSchema>;

/** Excluded Visits are not counted. */
export function countAbsences(visits: readonly RecordedVisit[]): AbsenceCount[] {
  const counts = new Map<string, AbsenceCount>();
  for (const { scenario, absences, isExcluded } of visits) {
    if (isExcluded || absences === null) continue;
    for (const metric of latencyIds) {
      const reason = absences[metric];
      if (reason === undefined) continue;
      const key = JSON.stringify([metric, scenario, reason]);
      const count = counts.get(key) ?? { metric, scenario, reason, visits: 0 };
      count.visits++;
      counts.set(key, count);
    }
  }
  return [...counts.values()];
}
