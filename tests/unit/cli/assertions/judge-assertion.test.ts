import { expect, test } from 'vitest';
import { judgeAssertion } from '#cli/assertions/judge-assertion.ts';
import { readAssertion } from '#cli/assertions/read-assertion.ts';
import { compareTwo } from './support/compare-two.ts';

const verdictsOf = (text: string, msOf?: Parameters<typeof compareTwo>[0]) =>
  judgeAssertion(readAssertion(text), compareTwo(msOf)).map(({ verdict }) => verdict);

/** About 20 % less time, by a little more or less. */
const faster = (scenario: string, block: number) => (scenario === 'proxy' ? 800 : 1000) + 20 * Math.sin(block * 7);

test('an assertion passes only if the whole interval is as asserted, and fails only if none of it is', () => {
  expect(verdictsOf('totalMs: reduction > 10%', faster)).toEqual(['passed']);
  expect(verdictsOf('totalMs: reduction > 30%', faster)).toEqual(['failed']);
  expect(verdictsOf('totalMs: reduction > 20%', faster)).toEqual(['undecided']);
  expect(verdictsOf('totalMs: mean-reduction of proxy vs direct > 10%', faster)).toEqual(['passed']);
  expect(verdictsOf('totalMs: difference < -100ms', faster)).toEqual(['passed']);
  expect(verdictsOf('totalMs: difference < -0.3s', faster)).toEqual(['failed']);
  expect(verdictsOf('totalMs: mean of direct < 0.9s', faster)).toEqual(['failed']);
});

test('figures are those of the Comparison, in the unit of the bound', () => {
  const comparison = compareTwo(faster);
  const found = comparison.metrics.find(({ metric }) => metric === 'totalMs')!.scenarios[1]!;
  const [judged] = judgeAssertion(readAssertion('totalMs: reduction > -5%'), comparison);
  const { ratio, low, high } = found.reduction!;
  expect(judged).toMatchObject({ scenario: 'proxy', baseline: 'direct' });
  expect(judged!.estimate).toEqual({ value: 100 * ratio, interval: { low: 100 * low!, high: 100 * high! } });
  const [inSeconds] = judgeAssertion(readAssertion('totalMs: mean < 1s'), comparison);
  expect(inSeconds!.estimate!.value).toBeCloseTo(found.estimate!.mean / 1000, 9);
  expect(inSeconds!.baseline).toBeNull();
});

test('one Block decides nothing', () => {
  expect(
    verdictsOf('totalMs: reduction > -99%', (scenario, block) => (block > 1 ? null : faster(scenario, block))),
  ).toEqual(['undecided']);
});

test('pages that no longer load do not pass', () => {
  const broken = (scenario: string, block: number) => (scenario === 'proxy' ? null : faster(scenario, block));
  expect(verdictsOf('totalMs: reduction > -5%', broken)).toEqual(['not-measured']);
  expect(verdictsOf('totalMs: mean < 5s', broken)).toEqual(['not-measured']);
  expect(verdictsOf('visits: failed < 50%', broken)).toEqual(['failed']);
});

test('failed Visits are judged as a share with an interval, or by their count in this Run', () => {
  expect(verdictsOf('visits: failed < 50%', faster)).toEqual(['passed']);
  expect(verdictsOf('visits: failed < 1%', faster)).toEqual(['undecided']);
  expect(verdictsOf('visits: failed <= 0', faster)).toEqual(['passed']);
  const once = (scenario: string, block: number) =>
    scenario === 'proxy' && block === 3 ? null : faster(scenario, block);
  expect(verdictsOf('visits: failed <= 0', once)).toEqual(['failed']);
});
