import { z } from 'zod';
import { mostMissesRatio } from '../../metrics/replay-misses.ts';
import type { RecordedVisit } from '../../record/run-record.ts';
import { percent } from '../findings/finding-words.ts';
import type { Remark } from './remark.ts';

/** What the Visits of one Scenario asked a replay for that its recordings lack, of all their objects. */
const LackingSchema = z.object({ scenario: z.string(), misses: z.number().int(), objects: z.number().int() });
/** One for each Scenario that loaded replayed pages. */
export const LackingRecordingsSchema = z.array(LackingSchema);
type Lacking = z.infer<typeof LackingSchema>;

export function countLacking(
  visits: readonly Pick<RecordedVisit, 'scenario' | 'isExcluded' | 'replay'>[],
  scenarios: readonly string[],
): Lacking[] {
  const replayed = visits.flatMap(({ scenario, isExcluded, replay }) =>
    replay && !isExcluded ? [{ scenario, ...replay }] : [],
  );
  return scenarios.flatMap((scenario) => {
    const own = replayed.filter((visit) => visit.scenario === scenario);
    const sumOf = (field: 'misses' | 'objects') => own.reduce((sum, visit) => sum + visit[field], 0);
    return own.length === 0 ? [] : [{ scenario, misses: sumOf('misses'), objects: sumOf('objects') }];
  });
}

/** Those of which more than 1 % is missing, in a sentence; null where there are none. */
export function describeLacking(counted: readonly Lacking[]): string | null {
  const lacking = counted.filter(({ misses, objects }) => misses > mostMissesRatio * objects);
  if (lacking.length === 0) return null;
  const parts = lacking.map(
    ({ scenario, misses, objects }) =>
      `${misses} of ${objects} objects under ${scenario} (${percent(misses / objects)} %)`,
  );
  return `The recording lacks ${parts.join(', ')}.`;
}

export function stateLacking(counted: readonly Lacking[]): Remark[] {
  const text = describeLacking(counted);
  return text === null
    ? []
    : [{ about: 'replay-misses', text: `${text} What was loaded is another page than the recorded one.` }];
}
