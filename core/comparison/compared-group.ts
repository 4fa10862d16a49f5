import { z } from 'zod';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { groupScenarios } from '../evaluation/scenarios/scenario-groups.ts';

/** Scenarios that are compared with one baseline, because the Evaluation says so. */
export const ComparedGroupSchema = z.object({ name: z.string(), baseline: z.string(), scenarios: z.array(z.string()) });
export type ComparedGroup = z.infer<typeof ComparedGroupSchema>;

/** The group of a Scenario; undefined where there are no groups. */
export function groupOf(groups: readonly ComparedGroup[] | undefined, scenario: string): ComparedGroup | undefined {
  return groups?.find(({ scenarios }) => scenarios.includes(scenario));
}

/** What a Scenario is compared with. */
export function baselineOf(
  { baseline, groups }: { baseline: string; groups?: readonly ComparedGroup[] | undefined },
  scenario: string,
): string {
  return groupOf(groups, scenario)?.baseline ?? baseline;
}

/** The baseline that changes of a Scenario are against; null of a baseline itself, and of a Scenario that is not comparable with it. */
export function findOpposite(
  {
    notComparable,
    ...compared
  }: { baseline: string; groups?: readonly ComparedGroup[] | undefined; notComparable?: ReadonlySet<string> },
  scenario: string,
): string | null {
  const baseline = baselineOf(compared, scenario);
  return baseline === scenario || notComparable?.has(scenario) ? null : baseline;
}

/** Whether other Scenarios are compared with it: all of them or, where there are groups, those of its group. */
export function isBaseline(
  compared: { baseline: string; groups?: readonly ComparedGroup[] | undefined },
  scenario: string,
): boolean {
  return baselineOf(compared, scenario) === scenario;
}

/** What there is of each Scenario, by group, in the order of the groups. Where there are none, it is one part without a group. */
export function partByGroup<Item>(
  groups: readonly ComparedGroup[] | undefined,
  items: readonly Item[],
  scenarioOf: (item: Item) => string,
): { group: ComparedGroup | null; items: Item[] }[] {
  if (!groups) return [{ group: null, items: [...items] }];
  return groups.map((group) => ({ group, items: items.filter((item) => group.scenarios.includes(scenarioOf(item))) }));
}

/** What each of these Scenarios is compared with, by its name; a baseline is compared with itself. */
export function baselinesOf(compared: {
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
}): Map<string, string> {
  return new Map(compared.scenarios.map((scenario) => [scenario, baselineOf(compared, scenario)]));
}

/** The baseline, and the groups where there are any: then the baseline is that of the first. */
export function describeGroups(scenarios: Evaluation['scenarios']): { baseline: string; groups?: ComparedGroup[] } {
  const groups = groupScenarios(scenarios);
  const named = groups.flatMap(({ name, ...group }) => (name === null ? [] : [{ name, ...group }]));
  return { baseline: groups[0]!.baseline, ...(named.length > 0 && { groups: named }) };
}
