import { includes, liesWithin } from './lies-within.ts';
import type { ScenarioUsers } from '../users/user-comparison.ts';

const tolerance = 0.05;

/** That the order of the start made no difference, where the interval of each relative latency includes 1 and lies within 5 % of it. Null where a figure has more to show. */
export function stateNoStartOrder(scenarios: readonly ScenarioUsers[]): string | null {
  const estimates = scenarios.flatMap(({ byStartOrder }) => byStartOrder ?? []);
  if (estimates.length === 0) return null;
  const isNothing = estimates.every(
    (estimate) =>
      estimate !== null && includes(estimate, 1) && liesWithin(estimate, { low: 1 - tolerance, high: 1 + tolerance }),
  );
  if (!isNothing) return null;
  return 'Who started first made no difference: the intervals of all relative latencies include 1 and lie within 5 % of it.';
}
