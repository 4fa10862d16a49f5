import type { MeasuredVisit, Measurements } from '#cli/study/study-measurements.ts';
import { averagePages, presentValues } from '#core/comparison/latencies/compute-reduction.ts';
import { welchInterval } from '#core/statistics/welch-interval.ts';
import { pagesByBlock } from './measure-quantity.ts';

/** Figures are the same if they differ by less than this. */
const sameWithin = 0.02;

/** Two one-sided tests at 5 %. */
const confidence = 0.9;

/** Whether Runs beside each other have the same figures as one that is alone. */
export interface BesideJudgement {
  isSame: boolean;
  /** A sentence for people. */
  text: string;
}

/**
 * Compares the page load times of each Scenario, by the ratio of geometric means over Blocks. They are the same where the whole interval of every ratio is within 2 %.
 * Throws RangeError where a Run has fewer than two Blocks.
 */
export function judgeBeside(alone: Measurements, beside: readonly Measurements[]): BesideJudgement {
  const scenarios = [...new Set(alone.visits.map(({ scenario }) => scenario))].sort((a, b) => a.localeCompare(b));
  const differences = scenarios.map((scenario) => {
    const own = listLogs(alone.visits, scenario);
    const found = welchInterval(
      beside.flatMap(({ visits }) => listLogs(visits, scenario)),
      own,
      confidence,
    );
    if (found === null) throw new RangeError(`"${scenario}" has fewer than two Blocks`);
    const [value, low, high] = [found.value, found.low, found.high].map((log) => Math.exp(log) - 1);
    return { scenario, value: value!, low: low!, high: high! };
  });
  const isSame = differences.every(({ low, high }) => Math.max(-low, high) < sameWithin);
  const percent = (ratio: number) => `${(100 * ratio).toFixed(1)} %`;
  const words = differences.map(
    ({ scenario, value, low, high }) => `${percent(value)} (${percent(low)} to ${percent(high)}) with ${scenario}`,
  );
  const count = ['no', 'one', 'two'][beside.length - 1] ?? beside.length - 1;
  return {
    isSame,
    text: `Beside ${count} others, a study ${isSame ? 'has the same figures as alone' : 'may have other figures than alone'}: page load times differ by ${words.join(', ')}. They are the same if the 90 % intervals are within 2 %.`,
  };
}

/** The logarithm of the page load time in each Block, averaged over pages. */
function listLogs(visits: readonly MeasuredVisit[], scenario: string): number[] {
  const pages = pagesByBlock(visits, { metric: 'totalMs', scenario, where: {} });
  return presentValues(averagePages([...pages.values()].map(({ byBlock }) => byBlock.map(Math.log))));
}
