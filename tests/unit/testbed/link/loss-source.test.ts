import { describe, expect, test } from 'vitest';
import { burstChances, independentBurstPackets } from '#core/evaluation/network/link-profile.ts';
import { countLosses } from '#testbed/check/judge-link.ts';
import { binomialBounds } from '#testbed/check/plan-check.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { openLossSource } from '#testbed/link/model/link-model.ts';

const packets = 400_000;
const confidence = 0.999;

function lose(lossRatio: number, lossBurstPackets: number | null, seed = 1): boolean[] {
  const isNextLost = openLossSource({ lossRatio, lossBurstPackets }, createRandom(seed));
  return Array.from({ length: packets }, () => isNextLost());
}

/** The lengths of the runs of that kind, without the last run, which the end cuts. */
function runLengths(losses: boolean[], kind: boolean): number[] {
  const runs: { kind: boolean; length: number }[] = [];
  for (const isLost of losses) {
    if (runs.at(-1)?.kind === isLost) runs.at(-1)!.length += 1;
    else runs.push({ kind: isLost, length: 1 });
  }
  return runs.slice(0, -1).flatMap((run) => (run.kind === kind ? run.length : []));
}

/** Of geometric lengths with that chance of an end, as many are longer than each of some lengths as their binomial intervals allow. */
function expectGeometric(lengths: number[], end: number): void {
  const longest = Math.ceil(5 / end);
  for (let least = 1; least <= longest; least += Math.max(1, Math.floor(longest / 10))) {
    const bounds = binomialBounds({ trials: lengths.length, ratio: (1 - end) ** least, confidence });
    const longer = lengths.filter((length) => length > least).length;
    expect({ least, longer, isWithin: longer >= bounds.low && longer <= bounds.high }).toMatchObject({
      isWithin: true,
    });
  }
}

describe.for([
  [0.01, 4],
  [0.05, 2],
  [0.2, 10],
  [0.6, 3],
  [0.02, 100],
] as const)('a loss of %f in bursts of %i', ([ratio, burst]) => {
  const losses = lose(ratio, burst);
  const { begin, end } = burstChances(ratio, burst);

  test('loses that share of the packets', () => {
    // Of a chain of two states: the variance of independent losses times (1 + r) / (1 − r), where r = 1 − begin − end links neighbours.
    const linked = 1 - begin - end;
    const deviation = Math.sqrt(((ratio * (1 - ratio)) / packets) * ((1 + linked) / (1 - linked)));
    const lost = losses.filter(Boolean).length / packets;
    expect(Math.abs(lost - ratio)).toBeLessThan(3.3 * deviation);
  });

  test('loses that many in a row in the mean', () => {
    const lengths = runLengths(losses, true);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(Math.abs(mean - burst)).toBeLessThan(3.3 * Math.sqrt((burst * (burst - 1)) / lengths.length));
  });

  test('has bursts and gaps of geometric lengths', () => {
    expectGeometric(runLengths(losses, true), end);
    expectGeometric(runLengths(losses, false), begin);
  });
});

test('bursts as long as those of independent losses are independent', () => {
  const losses = lose(0.3, independentBurstPackets(0.3));
  const afterLoss = losses.filter((_, index) => losses[index - 1]);
  const bounds = binomialBounds({ trials: afterLoss.length, ratio: 0.3, confidence });
  const again = afterLoss.filter(Boolean).length;
  expect(again).toBeGreaterThanOrEqual(bounds.low);
  expect(again).toBeLessThanOrEqual(bounds.high);
});

test('the same seed loses the same packets, another one others', () => {
  expect(lose(0.05, 4, 7)).toEqual(lose(0.05, 4, 7));
  expect(lose(0.05, 4, 7)).not.toEqual(lose(0.05, 4, 8));
});

test('without a loss, no packet is lost and nothing is drawn', () => {
  const isNextLost = openLossSource({ lossRatio: 0, lossBurstPackets: 4 }, () => {
    throw new Error('drawn');
  });
  expect(isNextLost()).toBe(false);
});

test.for([
  [[0, 1, 2], 3, { lost: 0, bursts: 0 }],
  [[0, 3, 4, 6], 9, { lost: 5, bursts: 3 }],
  [[2], 3, { lost: 2, bursts: 1 }],
  [[], 3, { lost: 3, bursts: 1 }],
  [[], 0, { lost: 0, bursts: 0 }],
] as const)('of %j of %i packets, losses are counted with their bursts', ([arrived, sent, losses]) => {
  expect(countLosses(arrived, sent)).toEqual(losses);
});
