import type { AbsenceCount } from '#core/comparison/cells/count-absences.ts';
import type { Cell } from '#core/comparison/comparison.ts';
import type { Verdict } from '#core/comparison/latencies/contrast.ts';
import { absenceReasons } from '#core/comparison/latencies/statistic.ts';
import { explainAbsence } from './explain-absence.ts';

interface NoReduction {
  scenario: string;
  baseline: string;
  /** Of the metric, where they are known. */
  absences?: readonly AbsenceCount[];
  /** Of the Scenario in this metric, where it has one. */
  verdict?: Verdict | undefined;
}

type Compared = Pick<
  Cell,
  'scenario' | 'reduction' | 'visits' | 'failedVisits' | 'absentVisits' | 'excludedVisits' | 'leftOutVisits'
>;

/** Why, of the Scenarios of a metric or of a URL, one has no reduction against the baseline, naming whose value is missing; null where it has one. */
export function explainNoReduction(
  compared: readonly Compared[],
  { scenario, baseline, absences = [], verdict }: NoReduction,
): string | null {
  const find = (name: string) => compared.find((each) => each.scenario === name) ?? null;
  if (find(scenario)?.reduction) return null;
  if (verdict === 'not-comparable') return `Not comparable with ${baseline}. ${absenceReasons[verdict]}`;
  // The baseline first: without its value none of the others has a reduction, all for the same reason.
  const missing = [baseline, scenario].find((name) => !hasValue(find(name)));
  if (missing === undefined) return `No Block has a page with a value under both ${baseline} and ${scenario}.`;
  return explainAbsence(find(missing), {
    scenario: missing,
    absences: absences.filter((each) => each.scenario === missing),
  });
}

function hasValue(compared: Compared | null): boolean {
  return compared !== null && compared.visits > compared.failedVisits + compared.absentVisits + compared.leftOutVisits;
}
