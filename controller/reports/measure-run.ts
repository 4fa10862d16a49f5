import type { CountedVisit } from '../../core/comparison/cells/counted-visit.ts';
import { describeGroups } from '../../core/comparison/compared-group.ts';
import {
  findIncomparable,
  judgeLostObjects,
  type LoadedVisit,
} from '../../core/comparison/failed-objects/failed-objects.ts';
import type { Evaluation } from '../../core/evaluation/evaluation.ts';
import type { FailedObjectsRule } from '../../core/evaluation/pages/page-load.ts';
import { markTraits } from '../../core/evaluation/scenarios/scenario-trait.ts';
import { findSolos } from '../../core/evaluation/scenarios/solo-scenarios.ts';
import type { MeasureId } from '../../core/metrics/measures.ts';
import { type FigureDesign, type Measurements, mostMeasurements } from '../../core/record/measurements.ts';
import { urlsOf } from '../../core/evaluation/rounds/expand-evaluation.ts';
import type { DimensionValue } from '../../core/evaluation/figures/figure-choice.ts';
import { intervalConfidence } from '../../core/stop-rule/level-of-look.ts';

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
  whole: Evaluation,
  all: readonly MeasuredVisit[],
  { measures, available, looks }: Asked,
): Measurements {
  // A Scenario in which a User Agent is alone is no arm of the comparison.
  const solos = new Set(findSolos(whole.scenarios).map(({ name }) => name));
  const evaluation = { ...whole, scenarios: whole.scenarios.filter(({ name }) => !solos.has(name)) };
  const visits = solos.size === 0 ? all : all.filter(({ scenario }) => !solos.has(scenario));
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

/** The Visits that count by the rule that the Evaluation declares for lost objects, without those that failed or that a person excluded. */
function leaveOutLossyVisits<Visit extends LoadedVisit>(visits: readonly Visit[], rule: FailedObjectsRule): Visit[] {
  return judgeLostObjects(visits, rule).filter(
    ({ isFailed, isExcluded, isLeftOut = false }) => !isFailed && !isExcluded && !isLeftOut,
  );
}

/** What a Scenario may say besides its settings. */
interface VariedScenario {
  name: string;
  baseline: boolean;
  group?: string | undefined;
  userAgents?: string[] | undefined;
  variables?: Readonly<Record<string, DimensionValue>> | undefined;
}

/** The design of an Evaluation, as far as its figures need it. `looks`: as in `intervalConfidence`. */
export function describeDesign(evaluation: Evaluation, looks: readonly number[] = []): FigureDesign {
  const { comparison, repetition, primaryMetric, userAgents, figures } = evaluation;
  const scenarios: readonly VariedScenario[] = evaluation.scenarios;
  const marked = markTraits(evaluation.scenarios);
  const pages = new Map(
    userAgents.flatMap(({ urlList }) => urlsOf(evaluation, urlList)).map((page) => [page.url, page]),
  );
  return {
    confidence: comparison.confidence,
    intervalConfidence: intervalConfidence(repetition, comparison.confidence, looks),
    primaryMetric,
    scenarios: scenarios.map(({ name, baseline, group = null, userAgents: own, variables = {} }, index) => {
      const { trait } = marked[index]!;
      const besides = { ...(own && { userAgents: own }), ...(trait !== undefined && { trait }) };
      return { name, isBaseline: baseline, group, variables, ...besides };
    }),
    userAgents: userAgents.map(({ name, userClass = null }) => ({ name, userClass })),
    pages: [...pages.values()].map(({ url, label, variables }) => ({ page: url, label, variables })),
    figures,
  };
}
