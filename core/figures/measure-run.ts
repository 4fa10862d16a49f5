import type { CountedVisit } from '../comparison/cells/counted-visit.ts';
import { describeGroups } from '../comparison/describe-groups.ts';
import { findIncomparable } from '../comparison/failed-objects/compare-failed-objects.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { MeasureId } from '../metrics/measures.ts';
import { describeDesign } from './describe-design.ts';
import type { FigureDesign } from './figure-design.ts';
import { leaveOutLossyVisits } from './leave-out-lossy-visits.ts';
import { mostMeasurements, type Measurements } from './measurements.ts';

/** A Visit that counts, with its values in the order of the measures that were asked for. */
export interface MeasuredVisit extends CountedVisit {
  failedObjects: number | null;
  values: readonly (number | null)[];
}

interface Asked {
  measures: readonly MeasureId[];
  available: readonly MeasureId[];
  /** As in `intervalConfidence`. */
  looks?: readonly number[];
}

/** The measurements of a Run, from its Visits in the order of execution. */
export function measureRun(
  evaluation: Evaluation,
  visits: readonly MeasuredVisit[],
  { measures, available, looks }: Asked,
): Measurements {
  const design = markIncomparable(describeDesign(evaluation, looks), { evaluation, visits });
  const counted = leaveOutLossyVisits(visits, evaluation.pageLoad.failedObjects);
  const scenarios = placesOf(design.scenarios.map(({ name }) => name));
  const userAgents = placesOf(design.userAgents.map(({ name }) => name));
  const pages = placesOf(design.pages.map(({ page }) => page));
  return {
    design,
    available: [...available],
    visits: {
      block: counted.map(({ block }) => block),
      scenario: counted.map(({ scenario }) => scenarios.get(scenario)!),
      userAgent: counted.map(({ userAgent }) => userAgents.get(userAgent)!),
      page: counted.map(({ url }) => pages.get(url)!),
    },
    values: Object.fromEntries(
      measures.map((measure, index) => [measure, counted.map(({ values }) => values[index]!)]),
    ),
    leftOut: null,
  };
}

function markIncomparable(
  design: FigureDesign,
  { evaluation, visits }: { evaluation: Evaluation; visits: readonly MeasuredVisit[] },
): FigureDesign {
  const incomparable = findIncomparable(visits, {
    ...describeGroups(evaluation.scenarios),
    scenarios: design.scenarios.map(({ name }) => name),
    confidence: design.intervalConfidence,
    declaredConfidence: design.confidence,
    rule: evaluation.pageLoad.failedObjects,
  });
  return {
    ...design,
    scenarios: design.scenarios.map((scenario) =>
      incomparable.has(scenario.name) ? { ...scenario, isComparable: false } : scenario,
    ),
  };
}

/** Of a Run whose Visits are too many to be sent, the design alone. */
export function leaveOutMeasurements(
  evaluation: Evaluation,
  { measures, available, looks, visits }: Asked & { visits: number },
): Measurements {
  return {
    ...measureRun(evaluation, [], { measures: [], available, ...(looks && { looks }) }),
    leftOut: `The Run has ${visits} Visits, and ${measures.length} metrics of each are more than ${mostMeasurements} numbers. Export the Visits as CSV instead.`,
  };
}

function placesOf(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
