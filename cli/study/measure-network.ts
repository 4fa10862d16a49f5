import type { RoundNetwork } from './study-measurements.ts';
import { estimateOverBlocks, type QuantityEstimate } from './quantity-estimate.ts';
import type { Quantity } from '../../core/study/quantity.ts';

/** A figure of the emulated network or, with `against`, the difference of the two Scenarios in each Block; null where it was not counted. */
export function measureNetwork(
  { figure, unit, scenario, against }: Extract<Quantity, { kind: 'network-figure' }>,
  { network, confidence }: { network: readonly RoundNetwork[]; confidence: number },
): QuantityEstimate | null {
  const blocks = [...new Set(network.map(({ block }) => block))];
  const valuesOf = (name: string) => {
    const byBlock = new Map(
      network
        .filter((round) => round.scenario === name)
        .map(({ block, figures }) => [
          block,
          figures.find((each) => each.figure === figure && each.unit === unit)?.value,
        ]),
    );
    return Float64Array.from(blocks, (block) => byBlock.get(block) ?? NaN);
  };
  const own = valuesOf(scenario);
  const other = against === undefined ? null : valuesOf(against);
  return estimateOverBlocks(other === null ? own : own.map((value, index) => value - other[index]!), { confidence });
}
