import type { Verdict } from '#core/comparison/latencies/contrast.ts';
import { absenceReasons } from '#core/comparison/latencies/statistic.ts';
import type { AbsenceReason } from '#core/metrics/metric-definition.ts';
import type { AbsenceCount } from '#core/comparison/cells/count-absences.ts';
import type { Cell } from '#core/comparison/comparison.ts';

const reasonWords: Record<Exclude<AbsenceReason, 'not-reached'>, string> = {
  unsupported: 'the engine has no such measurement',
  'page-hidden': 'the page was hidden',
  'timing-hidden': 'the browser hides it from other origins',
  'not-applicable': 'it does not apply to the page',
  'opened-ahead': 'the browser opened the connection before the request',
  'not-filmed': 'the viewport was not filmed from start to end',
  'not-recorded': 'the main thread was not recorded',
};

/** What did not happen until the Visit ended. */
const notReachedWords: Record<AbsenceCount['metric'], string> = {
  baseMs: 'the page did not arrive',
  viewportMs: 'an object that the viewport needs, such as an image, was not loaded',
  totalMs: 'the page did not finish loading before the hard cap',
};

interface Absence {
  /** Named where the place does not show it. */
  scenario?: string;
  /** Why Visits that loaded have no value of the metric, where that is known. They may be of more pages than the counts. */
  absences?: readonly Pick<AbsenceCount, 'metric' | 'reason' | 'visits'>[];
}

type Counts = Pick<Cell, 'visits' | 'failedVisits' | 'absentVisits' | 'excludedVisits' | 'leftOutVisits'>;

/** Why there is no mean: what happened to the Visits that could have a value. */
export function explainAbsence(counts: Counts | null, { scenario, absences = [] }: Absence = {}): string {
  const under = scenario === undefined ? '' : ` under ${scenario}`;
  if (!counts || counts.visits + counts.excludedVisits === 0) return `No Visit was made${under}.`;
  if (counts.visits === 0) return `Every Visit${under} is excluded (${counts.excludedVisits} in total).`;
  const { visits, failedVisits, absentVisits, leftOutVisits } = counts;
  // There are values, but the mean of a Scenario is one of the pages that all Scenarios have.
  if (failedVisits + absentVisits + leftOutVisits < visits) return 'No page has a value in every Scenario.';
  const count = `${visits} ${visits === 1 ? 'Visit' : 'Visits'}`;
  const why = absentVisits === 0 ? '' : explainAbsentVisits(absentVisits, absences);
  if (absentVisits === visits)
    return visits === 1
      ? `The one Visit${under} has no value${why}.`
      : `None of the ${count}${under} has a value${why}.`;
  const parts = [
    ...(failedVisits > 0 ? [`${failedVisits} failed`] : []),
    ...(leftOutVisits > 0 ? [`${leftOutVisits} lost objects (left out)`] : []),
    ...(absentVisits > 0 ? [`${absentVisits} ${absentVisits === 1 ? 'has' : 'have'} no value${why}`] : []),
  ];
  return `Of ${count}${under}, ${new Intl.ListFormat('en').format(parts)}.`;
}

function explainAbsentVisits(absentVisits: number, absences: NonNullable<Absence['absences']>): string {
  if (absences.length === 0) return '';
  const areCounted = absences.reduce((sum, { visits }) => sum + visits, 0) === absentVisits;
  const words = absences.map(({ metric, reason, visits }) => {
    const what = reason === 'not-reached' ? notReachedWords[metric] : reasonWords[reason];
    return areCounted && absences.length > 1 ? `${what} (${visits})` : what;
  });
  const list = new Intl.ListFormat('en', { type: areCounted ? 'conjunction' : 'disjunction' });
  return `: ${list.format(words)}`;
}

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
