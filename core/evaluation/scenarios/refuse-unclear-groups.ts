import type { Scenario } from './scenario.ts';

type Refuse = (path: (string | number)[], message: string) => void;
type Placed = Pick<Scenario, 'name' | 'baseline' | 'group'> & { index: number };

/** Calls `refuse` where there is not exactly one baseline: of all Scenarios or, where they have groups, of each group. */
export function refuseUnclearGroups(
  scenarios: readonly Pick<Scenario, 'name' | 'baseline' | 'group'>[],
  refuse: Refuse,
): void {
  const placed = scenarios.map((scenario, index): Placed => ({ ...scenario, index }));
  const groups = Map.groupBy(placed, ({ group }) => group);
  const [loose = [], hasGroups] = [groups.get(undefined), groups.size > 1 || !groups.has(undefined)];
  if (!hasGroups) {
    const baselines = loose.filter(({ baseline }) => baseline);
    if (baselines.length !== 1)
      refuse(
        ['scenarios'],
        `exactly one Scenario must be the baseline, and ${describe(baselines)}: write "baseline: true" under one of them`,
      );
    return;
  }
  for (const { index } of loose)
    refuse(['scenarios', index, 'group'], 'must name a group, as other Scenarios have one');
  for (const [group, own] of groups) {
    if (group === undefined) continue;
    const baselines = own.filter(({ baseline }) => baseline);
    if (baselines.length === 1) continue;
    const [place, field] = baselines.length === 0 ? [own[0]!, 'group'] : [baselines[1]!, 'baseline'];
    refuse(
      ['scenarios', place.index, field],
      `exactly one Scenario of the group "${group}" must be the baseline, and ${describe(baselines)}: write "baseline: true" under one of ${own
        .map(({ name }) => `"${name}"`)
        .slice(0, 5)
        .join(', ')}${own.length > 5 ? ', …' : ''}`,
    );
  }
}

function describe(baselines: readonly Placed[]): string {
  return baselines.length === 0 ? 'none is' : `${baselines.map(({ name }) => `"${name}"`).join(' and ')} are`;
}
