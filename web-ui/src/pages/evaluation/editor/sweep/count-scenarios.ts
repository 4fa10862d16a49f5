import { expandSweeps, isTemplate } from '#core/evaluation/sweep/expand-sweeps.ts';

/** How many Scenarios an entry with a sweep stands for; null of any other, and while the sweep is wrong. */
export function countScenarios(entry: unknown): number | null {
  if (!isTemplate(entry)) return null;
  const expanded = expandSweeps([entry]);
  return expanded.kind === 'expanded' ? expanded.scenarios.length : null;
}
