import { expect, test } from 'vitest';
import { stateWithout } from '#core/comparison/checks/without-blocks.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { computeReduction } from '#core/comparison/latencies/compute-reduction.ts';
import { compareTwo } from '#tests/unit/cli/assertions/support/compare-two.ts';

/** Eight Blocks, two of which take so many ms under the proxy, and the others about 800 of 1000. */
const withOdd = (ms: number) =>
  compareTwo((scenario, block) =>
    scenario === 'direct' ? 1000 : block === 3 || block === 4 ? ms : 800 + [0, 12, -9, 5, 14, -11, 3, -6][block - 1]!,
  );
const proxyOf = ({ metrics, primaryMetric }: Comparison) =>
  metrics.find(({ metric }) => metric === primaryMetric)!.scenarios[1]!;

/** The reduction without Blocks, and by how much of the half-width of the whole it differs. */
function leaveOut(comparison: Comparison, blocks: readonly number[]) {
  const { reduction, contrast } = proxyOf(comparison);
  const rest = contrast!.blocks.filter(({ block }) => !blocks.includes(block));
  const without = computeReduction(
    Float64Array.from(rest, (of) => Math.log(1 - of.reduction)),
    0.95,
  )!;
  const { ratio, low, high } = reduction!;
  return { without, share: Math.abs(without.ratio - ratio) / ((high! - low!) / 2) };
}

test('a reduction moves where it changes by more than half of its interval’s half-width without the Blocks', () => {
  const seen = new Set<boolean>();
  for (let ms = 700; ms <= 900; ms += 5) {
    const comparison = withOdd(ms);
    const { share } = leaveOut(comparison, [3, 4]);
    const { moves } = stateWithout(comparison, [3, 4]);
    expect(moves).toBe(share > 0.5);
    seen.add(moves);
  }
  expect(seen).toEqual(new Set([true, false]));
});

test('the sentence has the reduction without the Blocks, its interval, and the whole one', () => {
  const comparison = withOdd(400);
  const percent = (ratio: number) => Math.round(100 * ratio);
  const { without } = leaveOut(comparison, [3, 4]);
  const whole = percent(proxyOf(comparison).reduction!.ratio);
  const interval = `${percent(without.low!)}–${percent(without.high!)} %`;
  expect(stateWithout(comparison, [3, 4]).text).toBe(
    `Without these 2 Blocks, proxy takes ${percent(without.ratio)} % less time (${interval}), not ${whole} % less time.`,
  );
  expect(stateWithout(comparison, [3, 3]).text).toMatch(/^Without this Block, proxy takes /);
  // Blocks that the reduction does not have are not counted.
  expect(stateWithout(comparison, [3, 99]).text).toMatch(/^Without this Block, /);
});

test('where too little is left, or nothing is compared, the sentence says that', () => {
  const comparison = withOdd(800);
  const allBut = (count: number) => [1, 2, 3, 4, 5, 6, 7, 8].slice(count);
  expect(stateWithout(comparison, [])).toEqual({ moves: false, text: 'No Block of the reduction is affected.' });
  expect(stateWithout(comparison, allBut(2)).text).toMatch(/^Without these 6 Blocks, /);
  for (const count of [0, 1])
    expect(stateWithout(comparison, allBut(count))).toEqual({
      moves: true,
      text: 'Almost every Block is affected, so none shows what the reduction is without.',
    });
  const changed = (change: (scenario: { isBaseline: boolean }) => object) => ({
    ...comparison,
    metrics: comparison.metrics.map((metric) => ({
      ...metric,
      scenarios: metric.scenarios.map((scenario) => ({ ...scenario, ...change(scenario) })),
    })),
  });
  expect(
    stateWithout(
      changed(() => ({ reduction: null })),
      [3],
    ),
  ).toEqual({
    moves: true,
    text: 'By how much the reduction changes is not known.',
  });
  expect(
    stateWithout(
      changed(() => ({ isBaseline: true })),
      [3],
    ),
  ).toEqual({
    moves: false,
    text: 'Nothing is compared.',
  });
});

test('of several Scenarios, the one whose reduction changes most is named', () => {
  const [calm, wild] = [withOdd(790), withOdd(500)];
  const join = (first: Comparison, second: Comparison) => ({
    ...calm,
    metrics: calm.metrics.map((metric) => ({
      ...metric,
      scenarios: [
        metric.scenarios[0]!,
        { ...proxyOf(first), scenario: 'one' },
        { ...proxyOf(second), scenario: 'two' },
      ],
    })),
  });
  expect(stateWithout(join(calm, wild), [3, 4])).toMatchObject({
    moves: true,
    text: expect.stringContaining(', two takes') as string,
  });
  expect(stateWithout(join(wild, calm), [3, 4])).toMatchObject({
    moves: true,
    text: expect.stringContaining(', one takes') as string,
  });
});
