import type { LatencyId } from '../metrics/catalogue.ts';
import { blockMeans } from './block-means.ts';
import type { Cell, Estimate, MetricComparison, ScenarioComparison } from './comparison.ts';
import { estimateMean } from './estimate-mean.ts';
import type { Observation } from './observation.ts';
import { computeReduction } from './reduction.ts';

/** What is compared: the arms and the pages, in the order of the Evaluation. */
export interface ComparedDesign {
  scenarios: string[];
  baseline: string;
  userAgents: string[];
  urls: { url: string; label: string; variables: Record<string, number> }[];
  confidence: number;
}

/** Every Scenario against the baseline in one metric. */
export function compareMetric(metric: LatencyId, observations: readonly Observation[], design: ComparedDesign): MetricComparison {
  const byScenario = Map.groupBy(observations, ({ scenario }) => scenario);
  const baseline = byScenario.get(design.baseline) ?? [];
  const scenarios = design.scenarios.map((scenario): ScenarioComparison => {
    const own = byScenario.get(scenario) ?? [];
    const isBaseline = scenario === design.baseline;
    return {
      scenario,
      isBaseline,
      ...count(own),
      estimate: estimate(own, design.confidence),
      reduction: isBaseline ? null : computeReduction({ scenario: own, baseline }, design.confidence),
    };
  });

  const byCell = Map.groupBy(observations, ({ scenario, userAgent, url }) => JSON.stringify([scenario, userAgent, url]));
  const byUrl = Map.groupBy(observations, ({ scenario, url }) => JSON.stringify([scenario, null, url]));
  const cells = [null, ...design.userAgents].flatMap((userAgent) =>
    design.urls.flatMap((page) =>
      design.scenarios.flatMap((scenario): Cell[] => {
        const own = (userAgent === null ? byUrl : byCell).get(JSON.stringify([scenario, userAgent, page.url]));
        return own ? [{ scenario, userAgent, ...page, ...count(own), estimate: estimate(own, design.confidence) }] : [];
      }),
    ),
  );
  return { metric, scenarios, cells };
}

function count(observations: readonly Observation[]): { visits: number; failedVisits: number; absentVisits: number } {
  const failedVisits = observations.filter(({ isFailed }) => isFailed).length;
  const absentVisits = observations.filter(({ isFailed, value }) => !isFailed && value === null).length;
  return { visits: observations.length, failedVisits, absentVisits };
}

function estimate(observations: readonly Observation[], confidence: number): Estimate | null {
  return estimateMean([...blockMeans(observations).values()], confidence);
}
