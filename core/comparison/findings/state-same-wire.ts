import { liesWithin } from './lies-within.ts';
import { wireFigures, type ScenarioWire, type WireFigure } from '../network/wire-comparison.ts';

const tolerance = 0.01;

/** That a figure of the wire is the same in every Scenario, where all intervals lie within 1 % of their middle. Null where a figure has more to show. */
export function stateSameWire(scenarios: readonly ScenarioWire[], figure: WireFigure): string | null {
  const estimates = scenarios.flatMap(({ figures }) => figures[figure] ?? []);
  if (estimates.length < 2 || estimates.length < scenarios.length) return null;
  const means = estimates.map(({ mean }) => mean);
  const middle = (Math.min(...means) + Math.max(...means)) / 2;
  const margin = tolerance * Math.abs(middle);
  if (!estimates.every((estimate) => liesWithin(estimate, { low: middle - margin, high: middle + margin })))
    return null;
  const { label } = wireFigures[figure];
  return middle === 0
    ? `${label}: none in any Scenario.`
    : `${label}: the same in every Scenario, all intervals within 1 %.`;
}
