import type { AbsenceReason } from '#core/metrics/reading.ts';
import type { AbsenceCount } from '#core/comparison/count-absences.ts';
import type { Cell } from '#core/comparison/comparison.ts';

const reasonWords: Record<AbsenceReason, string> = {
  unsupported: 'the engine has no such measurement',
  'not-reached': 'it did not happen before the page settled or hit the hard cap',
  'page-hidden': 'the page was hidden',
  'timing-hidden': 'the browser hides it from other origins',
  'not-applicable': 'it does not apply to the page',
  'opened-ahead': 'the browser opened the connection before the request',
  'not-filmed': 'the viewport was not filmed from start to end',
};

interface Absence {
  /** Named where the place does not show it. */
  scenario?: string;
  /** Why those that loaded have no value, where that is known. */
  absences?: readonly Pick<AbsenceCount, 'reason' | 'visits'>[];
}

/** Why there is no mean: what happened to the Visits that could have a value. */
export function explainAbsence(
  counts: Pick<Cell, 'visits' | 'failedVisits' | 'absentVisits' | 'excludedVisits' | 'leftOutVisits'> | null,
  { scenario, absences = [] }: Absence = {},
): string {
  const under = scenario === undefined ? '' : ` under ${scenario}`;
  if (!counts || counts.visits + counts.excludedVisits === 0) return `No Visit was made${under}.`;
  if (counts.visits === 0) return `Every Visit${under} is excluded (${counts.excludedVisits} in total).`;
  const { visits, failedVisits, absentVisits, leftOutVisits } = counts;
  const reasons = [
    ...(failedVisits > 0 ? [`${failedVisits} failed`] : []),
    ...(absentVisits > 0 ? [`${absentVisits} loaded without a value of this metric`] : []),
    ...(leftOutVisits > 0 ? [`${leftOutVisits} lost objects (left out)`] : []),
  ];
  // There are values, but the mean of a Scenario is one of the pages that all Scenarios have.
  if (reasons.length === 0) return 'No page has a value in every Scenario.';
  return `Of ${visits} ${visits === 1 ? 'Visit' : 'Visits'}${under}, ${reasons.join(' and ')}.${absentVisits > 0 ? explainAbsences(absences) : ''}`;
}

function explainAbsences(absences: readonly Pick<AbsenceCount, 'reason' | 'visits'>[]): string {
  if (absences.length === 0) return ' For example, the page never settled.';
  const words = absences.map(({ reason, visits }) =>
    absences.length === 1 ? reasonWords[reason] : `${reasonWords[reason]} (${visits})`,
  );
  return ` ${absences.length === 1 ? 'Reason' : 'Reasons'}: ${words.join(', ')}.`;
}
