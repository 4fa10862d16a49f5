import type { ScenarioBandwidth } from '../comparison.ts';
import type { Estimate } from '../estimate.ts';

/** Of an even share: what is within this is even. */
const tolerance = 0.05;

/** That every User Agent had an even share of the bytes in every Scenario, where the interval of each share lies within 5 % of it. Null where a figure has more to show. */
export function stateEvenShares(scenarios: readonly ScenarioBandwidth[]): string | null {
  const shares = scenarios.flatMap((scenario) => scenario.shares);
  const users = new Set(shares.map(({ userAgent }) => userAgent)).size;
  if (users < 2 || scenarios.some((scenario) => scenario.shares.length !== users)) return null;
  const even = 1 / users;
  const isEven = shares.every(({ estimate }) =>
    liesWithin(estimate, { low: even * (1 - tolerance), high: even * (1 + tolerance) }),
  );
  if (!isEven) return null;
  const percent = (100 * even).toFixed(users === 3 ? 1 : 0);
  const where = scenarios.length === 1 ? '' : 'in every Scenario ';
  return `Each User Agent received an even share of the bytes ${where}(${percent} %): all intervals lie within 5 % of it.`;
}

/** Whether the whole interval lies between two values. Without an interval it is not known to. */
export function liesWithin({ mean, halfWidth }: Estimate, { low, high }: { low: number; high: number }): boolean {
  return halfWidth !== null && mean - halfWidth >= low && mean + halfWidth <= high;
}

export function includes({ mean, halfWidth }: Estimate, value: number): boolean {
  return halfWidth !== null && Math.abs(mean - value) <= halfWidth;
}
