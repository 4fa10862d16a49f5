import type { Flow } from './flow.ts';

/** The order of one user's flows: by rank, then by arrival. */
export function compareFlows(one: Flow, other: Flow): number {
  return one.rank - other.rank || one.order - other.order;
}
