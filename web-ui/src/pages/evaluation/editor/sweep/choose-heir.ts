import { readPath } from '../path.ts';

/** The place of the Scenario that becomes the baseline when that at `removed` is taken out: the first of the same group without a sweep. Null where there is none. */
export function chooseHeir(scenarios: readonly unknown[], removed: number): number | null {
  const heir = scenarios.findIndex(
    (scenario, index) =>
      index !== removed && readPath(scenario, ['sweep']) === undefined && isSameGroup(scenario, scenarios[removed]),
  );
  return heir < 0 ? null : heir;
}

/** Whether two entries have the same group as it is written; or none. */
export function isSameGroup(one: unknown, other: unknown): boolean {
  return readPath(one, ['group']) === readPath(other, ['group']);
}
