import { expect, test } from 'vitest';
import { burstChances } from '#core/evaluation/network/link-profile.ts';
import { burstBounds, lossBounds } from '#testbed/check/judge-link.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { openLossSource } from '#testbed/link/model/link-model.ts';

const trials = 12;

/** The probability of each number of losses, summed over all 2^12 ways to lose packets. */
function enumerate(ratio: number, burstPackets: number, isInBurst: boolean): number[] {
  const { begin, end } = burstChances(ratio, burstPackets);
  const distribution = new Array<number>(trials + 1).fill(0);
  for (let way = 0; way < 2 ** trials; way++) {
    const states = Array.from({ length: trials }, (_, index) => ((way >> index) & 1) === 1);
    let probability = states[0] === isInBurst ? 1 : 0;
    for (let index = 1; index < trials; index++) {
      const change = states[index - 1] ? end : begin;
      probability *= states[index] === states[index - 1] ? 1 - change : change;
    }
    distribution[states.filter(Boolean).length]! += probability;
  }
  return distribution;
}

test.for([
  [0.1, 3, 0.9],
  [0.3, 2, 0.95],
  [0.5, 4, 0.999],
] as const)(
  'of a loss of %f in bursts of %i, the bounds at %f leave out what all ways to lose say',
  ([ratio, burstPackets, confidence]) => {
    const { low, high } = lossBounds({ trials, ratio, burstPackets, confidence });
    const tail = (1 - confidence) / 2;
    const chanceOf = (distribution: number[], isCounted: (losses: number) => boolean) =>
      distribution.reduce((sum, probability, losses) => sum + (isCounted(losses) ? probability : 0), 0);
    const fromNone = enumerate(ratio, burstPackets, false);
    const fromBurst = enumerate(ratio, burstPackets, true);
    expect(chanceOf(fromNone, (losses) => losses < low)).toBeLessThanOrEqual(tail);
    expect(chanceOf(fromNone, (losses) => losses <= low)).toBeGreaterThan(tail);
    expect(chanceOf(fromBurst, (losses) => losses > high)).toBeLessThanOrEqual(tail);
    expect(chanceOf(fromBurst, (losses) => losses >= high)).toBeGreaterThan(tail);
  },
);

test('bursts widen the bounds of what a link check may find lost', () => {
  const check = { trials: 750, ratio: 0.02, confidence: 0.999 };
  expect(lossBounds({ ...check, burstPackets: null })).toEqual({ low: 4, high: 29 });
  // As docs/testbed.md says.
  expect(lossBounds({ ...check, burstPackets: 5 })).toEqual({ low: 0, high: 78 });
});

test('hardly any correct link is out of bounds', () => {
  const options = { trials: 750, ratio: 0.05, burstPackets: 4 };
  const { low, high } = lossBounds({ ...options, confidence: 0.99 });
  const random = createRandom(5);
  const links = 4000;
  let outside = 0;
  for (let link = 0; link < links; link++) {
    const isNextLost = openLossSource({ lossRatio: options.ratio, lossBurstPackets: options.burstPackets }, random);
    let lost = 0;
    for (let packet = 0; packet < options.trials; packet++) lost += isNextLost() ? 1 : 0;
    if (lost < low || lost > high) outside += 1;
  }
  // At most 1 % in the two tails; 40 of 4000, with three standard deviations.
  expect(outside).toBeLessThan(60);
  expect(outside).toBeGreaterThan(5);
});

// qnbinom(c(.0005, .9995), b, 1/L) + b and the same at .025 and .975 in R.
test.for([
  [1, 4, 0.999, 1, 27],
  [1, 50, 0.95, 2, 183],
  [10, 1.5, 0.999, 10, 27],
  [10, 4, 0.95, 22, 65],
  [200, 4, 0.999, 650, 973],
  [200, 50, 0.999, 7857, 12467],
] as const)(
  '%i bursts of %f packets at a confidence of %f lose %i to %i',
  ([bursts, burstPackets, confidence, low, high]) => {
    expect(burstBounds({ bursts, burstPackets, confidence })).toEqual({ low, high });
  },
);
