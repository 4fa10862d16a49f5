import { expandSweeps, isTemplate } from '#core/evaluation/sweep/expand-sweeps.ts';

/** The first Scenario that an entry stands for; the entry itself where it has no sweep, or a wrong one. */
export function showFirst(entry: unknown): unknown {
  if (!isTemplate(entry)) return entry;
  const expanded = expandSweeps([entry]);
  return expanded.kind === 'expanded' ? expanded.scenarios[0] : entry;
}
