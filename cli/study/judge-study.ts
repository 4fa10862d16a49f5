import { evaluateFormula, type LinkFigures } from '../../core/study/formula.ts';
import type { Quantity } from '../../core/study/quantity.ts';
import type { Bound, Check, ClosedForm, Expectation, Study } from '../../core/study/study-definition.ts';
import { joinVerdicts, type StudyVerdict } from './format-quantity.ts';
import { isAskedFor, measureQuantity } from './measure-quantity.ts';
import type { Limits, QuantityEstimate } from './quantity-estimate.ts';
import type { MeasuredVisit, Measurements } from './study-measurements.ts';

/** A check in one part, with what was measured. */
export interface JudgedCheck {
  part: string;
  /** Where each page is judged by itself. */
  page: string | null;
  quantity: Quantity;
  /** Null where a formula has no value, as in a part that was not measured. */
  limits: Limits | null;
  estimate: QuantityEstimate | null;
  verdict: StudyVerdict;
}

/** Whether a closed form holds: by the value itself, as it has no chance in it. */
export interface JudgedClosedForm extends Omit<ClosedForm, 'checks'> {
  checks: (Omit<JudgedCheck, 'verdict'> & { verdict: 'holds' | 'broken' | 'not-measured' })[];
}

export interface JudgedExpectation extends Omit<Expectation, 'checks'> {
  checks: JudgedCheck[];
  verdict: StudyVerdict;
}

export interface JudgedStudy {
  closedForms: JudgedClosedForm[];
  findings: JudgedExpectation[];
}

type Measured = Omit<JudgedCheck, 'verdict'>;

/** Holds the closed forms and the findings of a study against its Runs, by part; a part that was not measured is missing. */
export function judgeStudy(
  study: Pick<Study, 'parts' | 'closedForms' | 'expectations'>,
  runs: ReadonlyMap<string, Measurements>,
): JudgedStudy {
  const partNames = study.parts.map(({ name }) => name);
  const measureAll = (checks: readonly Check[], family?: number) =>
    checks.flatMap((check) =>
      (check.parts ?? partNames).flatMap((part) => measureCheck(check, { part, run: runs.get(part), family })),
    );
  const closedForms = study.closedForms.map(({ checks, ...form }) => ({
    ...form,
    checks: measureAll(checks).map((measured) => ({ ...measured, verdict: judgeClosedForm(measured) })),
  }));
  const implausible = new Set(
    closedForms.flatMap(({ checks }) => checks.filter(({ verdict }) => verdict === 'broken').map(({ part }) => part)),
  );
  const findings = study.expectations.map(({ checks, ...expectation }) => {
    const all = measureAll(checks);
    // One of many quantities is wholly otherwise by chance the sooner, the more there are.
    const together = measureAll(checks, Math.max(1, all.filter(({ estimate }) => estimate !== null).length));
    const judged = all.map((measured, index): JudgedCheck => {
      const { part } = measured;
      const verdict = implausible.has(part)
        ? 'implausible'
        : judgeFinding(measured, { ...expectation, run: runs.get(part), together: together[index]!.estimate });
      return { ...measured, verdict };
    });
    return { ...expectation, checks: judged, verdict: joinVerdicts(judged.map(({ verdict }) => verdict)) };
  });
  return { closedForms, findings };
}

/** What a check measures in a part: one value, or one for each page that is asked for. None of Scenarios that cannot be compared. */
function measureCheck(
  { quantity, bound, each }: Check,
  { part, run, family }: { part: string; run: Measurements | undefined; family: number | undefined },
): Measured[] {
  if (!run) return [{ part, page: null, quantity, limits: resolveBound(bound, null), estimate: null }];
  const limits = resolveBound(bound, run.linkOf(quantity.scenario));
  const hasNumbers = areComparable(quantity, run);
  const measure = (visits: Measurements['visits']) =>
    hasNumbers ? measureQuantity(quantity, { ...run, visits }, family) : null;
  if (each === undefined) return [{ part, page: null, quantity, limits, estimate: measure(run.visits) }];
  const measured = [...Map.groupBy(run.visits, ({ page }) => page)]
    .filter(([, visits]) => visits.some((visit) => isOf(quantity, visit)))
    .map(([page, visits]) => {
      const name = describePage(page, visits[0]!.variables);
      return { part, page: name, quantity, limits, estimate: measure(visits) };
    });
  const hasAny = measured.some(({ estimate }) => estimate !== null);
  return hasAny ? measured : [{ part, page: null, quantity, limits, estimate: null }];
}

/** Whether a Visit is one that a quantity is about, be there a value of it or not. */
function isOf(quantity: Quantity, visit: MeasuredVisit): boolean {
  const { scenario } = quantity;
  const isOfUser = !('userAgent' in quantity) || quantity.userAgent === visit.userAgent;
  return isOfUser && isAskedFor(visit, { scenario, where: 'where' in quantity ? quantity.where : {} });
}

function describePage(page: string, variables: Readonly<Record<string, number>>): string {
  const named = Object.entries(variables).map(([name, value]) => `${name} ${value}`);
  return named.length > 0 ? named.join(', ') : page;
}

/** Null where one of its formulas has no value. */
function resolveBound(bound: Bound, link: LinkFigures | null): Limits | null {
  const resolve = (limit: number | string) =>
    typeof limit === 'number' ? limit : link === null ? null : evaluateFormula(limit, link);
  const [above, below] = [bound.above, bound.below].map((limit) => (limit === undefined ? undefined : resolve(limit)));
  if (above === null || below === null) return null;
  return { ...(above !== undefined && { above }), ...(below !== undefined && { below }) };
}

function judgeClosedForm({ estimate, limits }: Measured): 'holds' | 'broken' | 'not-measured' {
  if (estimate === null || limits === null) return 'not-measured';
  const { above = -Infinity, below = Infinity } = limits;
  return estimate.value > above && estimate.value < below ? 'holds' : 'broken';
}

function judgeFinding(
  { quantity, estimate, limits }: Measured,
  {
    otherConditions,
    run,
    together,
  }: {
    otherConditions?: string | undefined;
    run: Measurements | undefined;
    /** With the interval that holds together with those of the other quantities of the finding. */
    together: QuantityEstimate | null;
  },
): StudyVerdict {
  if (run && !areComparable(quantity, run)) return 'not-comparable';
  if (estimate === null || limits === null) return 'not-measured';
  if (otherConditions !== undefined) return 'other-conditions';
  const verdict = judgeInterval(estimate, limits);
  return verdict === 'contradicted' ? judgeInterval(together, limits) : verdict;
}

/** Whether no two Scenarios that a quantity holds against each other lose other objects. */
function areComparable(quantity: Quantity, { isComparable }: Pick<Measurements, 'isComparable'>): boolean {
  if (!('against' in quantity) || quantity.against === undefined) return true;
  const { scenario, against } = quantity;
  if (!isComparable(scenario, against)) return false;
  return quantity.kind !== 'reduction-difference' || isComparable(quantity.minus.scenario, quantity.minus.against);
}

/**
 * Judges a claim by the interval of what was measured: confirmed only if the whole interval is within the limits, contradicted only if none of it is. Without an interval
 * (fewer than two Rounds) nothing is shown either way.
 */
export function judgeInterval(
  estimate: QuantityEstimate | null,
  limits: Limits,
): 'confirmed' | 'contradicted' | 'not-confirmed' | 'not-measured' {
  if (estimate === null) return 'not-measured';
  if (estimate.interval === null) return 'not-confirmed';
  const { low, high } = estimate.interval;
  const { above = -Infinity, below = Infinity } = limits;
  if (low > above && high < below) return 'confirmed';
  return high <= above || low >= below ? 'contradicted' : 'not-confirmed';
}
