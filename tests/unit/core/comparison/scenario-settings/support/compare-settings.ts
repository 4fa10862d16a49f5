import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import { distinguishScenarios } from '#core/comparison/scenario-settings/distinguish-scenarios.ts';
import type { SettingDifference } from '#core/comparison/scenario-settings/scenario-conditions.ts';

export const { pageLoad } = EvaluationSchema.parse({
  name: 'x',
  urlLists: { all: ['http://a/'] },
  userAgents: [{ name: 'alice', host: 'h', urlList: 'all' }],
  scenarios: [{ name: 'x', baseline: true }],
});

export type Settings = Record<string, unknown>;

/** In what a Scenario with the settings `own` differs from a baseline with others. */
export function compareSettings(baseline: Settings, own: Settings): SettingDifference[] {
  const scenarios = [
    { name: 'before', baseline: true, ...baseline },
    { name: 'after', ...own },
  ].map((scenario) => ScenarioSchema.parse(scenario));
  return distinguishScenarios({ scenarios, pageLoad })[1]!.differences;
}

/** The same as `setting: baseline → own`. */
export const differencesOf = (baseline: Settings, own: Settings): string[] =>
  compareSettings(baseline, own).map(
    (difference) => `${difference.setting}: ${difference.baseline} → ${difference.own}`,
  );
