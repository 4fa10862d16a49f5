import type { Scenario } from './scenario.ts';

/** Scenarios that are compared with one baseline. */
export interface ScenarioGroup {
  /** Null where the Evaluation has no groups: then all Scenarios are one. */
  name: string | null;
  scenarios: string[];
  baseline: string;
}

type GroupedScenario = Pick<Scenario, 'name' | 'baseline' | 'group'>;

/** The groups of Scenarios, in the order of their first Scenario. Each has one baseline. */
export function groupScenarios(scenarios: readonly GroupedScenario[]): ScenarioGroup[] {
  return [...Map.groupBy(scenarios, ({ group }) => group ?? null)].map(([name, own]) => ({
    name,
    scenarios: own.map((scenario) => scenario.name),
    baseline: own.find(({ baseline }) => baseline)!.name,
  }));
}

/** The baseline that each Scenario is compared with, by the name of the Scenario; a baseline's is itself. */
export function baselinesOf(scenarios: readonly GroupedScenario[]): Map<string, string> {
  return new Map(
    groupScenarios(scenarios).flatMap((group) =>
      group.scenarios.map((scenario): [string, string] => [scenario, group.baseline]),
    ),
  );
}
