import type { Evaluation } from '../evaluation/evaluation.ts';
import { groupScenarios } from '../evaluation/scenarios/scenario-groups.ts';
import type { ComparedGroup } from './compared-group.ts';

/** The baseline, and the groups where there are any: then the baseline is that of the first. */
export function describeGroups(scenarios: Evaluation['scenarios']): { baseline: string; groups?: ComparedGroup[] } {
  const groups = groupScenarios(scenarios);
  const named = groups.flatMap(({ name, ...group }) => (name === null ? [] : [{ name, ...group }]));
  return { baseline: groups[0]!.baseline, ...(named.length > 0 && { groups: named }) };
}
