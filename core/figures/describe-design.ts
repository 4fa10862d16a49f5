import type { Evaluation } from '../evaluation/evaluation.ts';
import { urlsOf } from '../evaluation/rounds/expand-evaluation.ts';
import type { DimensionValue } from '../evaluation/figures/figure-choice.ts';
import { intervalConfidence } from '../stop-rule/interval-confidence.ts';
import type { FigureDesign } from './figure-design.ts';

/** What a Scenario may say besides its settings. */
interface VariedScenario {
  name: string;
  baseline: boolean;
  group?: string | undefined;
  variables?: Readonly<Record<string, DimensionValue>> | undefined;
}

/** The design of an Evaluation, as far as its figures need it. `looks`: as in `intervalConfidence`. */
export function describeDesign(evaluation: Evaluation, looks: readonly number[] = []): FigureDesign {
  const { comparison, repetition, primaryMetric, userAgents, figures } = evaluation;
  const scenarios: readonly VariedScenario[] = evaluation.scenarios;
  const pages = new Map(
    userAgents.flatMap(({ urlList }) => urlsOf(evaluation, urlList)).map((page) => [page.url, page]),
  );
  return {
    confidence: comparison.confidence,
    intervalConfidence: intervalConfidence(repetition, comparison.confidence, looks),
    primaryMetric,
    scenarios: scenarios.map(({ name, baseline, group = null, variables = {} }) => ({
      name,
      isBaseline: baseline,
      group,
      variables,
    })),
    userAgents: userAgents.map(({ name, userClass = null }) => ({ name, userClass })),
    pages: [...pages.values()].map(({ url, label, variables }) => ({ page: url, label, variables })),
    figures,
  };
}
