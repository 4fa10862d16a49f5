import { z } from 'zod';

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

/** The same of each of these Scenarios, by its name; a baseline is compared with itself. */
export function baselinesOf(compared: {
  scenarios: readonly string[];
  baseline: string;
  groups?: readonly ComparedGroup[] | undefined;
}): Map<string, string> {
  return new Map(compared.scenarios.map((scenario) => [scenario, baselineOf(compared, scenario)]));
}
