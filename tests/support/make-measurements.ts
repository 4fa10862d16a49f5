import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { FigureDesign, Measurements } from '#core/record/measurements.ts';
import { measureRun, type MeasuredVisit } from '#controller/reports/measure-run.ts';
import type { MeasureId } from '#core/metrics/measures.ts';

interface Place {
  block: number;
  scenario: string;
  userAgent: string;
  url: string;
}

/** The measurements of a Run of so many Blocks in which every Visit was made, each with the values that the function gives. */
export function makeMeasurements(
  evaluation: Evaluation,
  {
    blocks,
    measures,
    valuesOf,
    failedObjectsOf = () => 0,
  }: {
    blocks: number;
    measures: MeasureId[];
    valuesOf: (place: Place) => (number | null)[];
    failedObjectsOf?: (place: Place) => number;
  },
): Measurements {
  const visits = Array.from({ length: blocks }, (_, index) => index + 1).flatMap((block) =>
    evaluation.scenarios.flatMap(({ name: scenario }) =>
      evaluation.userAgents.flatMap(({ name: userAgent, urlList }) =>
        urlsOf(evaluation, urlList).map(({ url }): MeasuredVisit => {
          const place = { block, scenario, userAgent, url };
          return {
            ...place,
            isFailed: false,
            isTimedOut: false,
            isExcluded: false,
            failedObjects: failedObjectsOf(place),
            values: valuesOf(place),
          };
        }),
      ),
    ),
  );
  return measureRun(evaluation, visits, { measures, available: measures });
}

/** As a Scenario may be beside its settings. */
export type Arm = Partial<FigureDesign['scenarios'][number]> & { name: string };

/** The same Run, its Scenarios with groups and variables. */
export function withArms(measurements: Measurements, arms: Arm[]): Measurements {
  const { design } = measurements;
  const scenarios = design.scenarios.map((scenario) => ({
    ...scenario,
    ...arms.find(({ name }) => name === scenario.name),
  }));
  return { ...measurements, design: { ...design, scenarios } };
}

/** An Evaluation of pages with these variables and of Scenarios of these names, the first of which is the baseline. */
export function evaluationOf({
  pages,
  scenarios,
  userAgents = [{ name: 'user' }],
}: {
  pages: Record<string, number>[];
  scenarios: string[];
  userAgents?: { name: string; userClass?: string }[];
}): Evaluation {
  return EvaluationSchema.parse({
    name: 'Figures',
    urlLists: { pages: pages.map((variables, index) => ({ url: `http://origin.test/${index}`, variables })) },
    userAgents: userAgents.map((userAgent) => ({ ...userAgent, host: 'laptop', urlList: 'pages' })),
    scenarios: scenarios.map((name, index) => ({ name, baseline: index === 0 })),
  });
}
