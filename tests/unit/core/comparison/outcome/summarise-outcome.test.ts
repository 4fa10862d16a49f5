import { expect, it } from 'vitest';
import { kindOfOutcome, RunOutcomeSchema, type RunOutcome } from '#core/comparison/outcome/run-outcome.ts';
import { stateFindings } from '#core/comparison/findings/state-findings.ts';
import { summariseOutcome } from '#core/comparison/outcome/summarise-outcome.ts';
import { compareScenarios } from '../support/visits.ts';

const baseline = [1000, 1010, 990, 1005, 995, 1002];
const times = (factors: number[]) => baseline.map((value, block) => value * factors[block]!);
const faster = times([0.72, 0.74, 0.73, 0.75, 0.71, 0.73]);
const slower = times([1.5, 1.55, 1.52, 1.45, 1.6, 1.5]);
const slight = times([0.968, 0.97, 0.966, 0.971, 0.967, 0.97]);
const alike = times([1.004, 0.997, 1.002, 0.998, 1.003, 0.999]);
const unclear = times([0.8, 1.3, 0.9, 1.25, 0.85, 1.1]);

/** The outcome beside the findings that the Comparison states of the same Visits. */
function summarise(byScenario: Record<string, number[]>): { outcome: RunOutcome; findings: string[] } {
  const metrics = compareScenarios(byScenario, { baseline: 'HTTP/1.1' });
  const primary = metrics.find(({ metric }) => metric === 'totalMs')!;
  return {
    outcome: RunOutcomeSchema.parse(
      summariseOutcome({ primaryMetric: 'totalMs', confidence: 0.95, baseline: 'HTTP/1.1', metrics }),
    ),
    findings: stateFindings({
      primary,
      bandwidth: { kind: 'absent', reason: 'not looked at here' },
      baseline: 'HTTP/1.1',
      confidence: 0.95,
    }),
  };
}

it.each([
  [
    'HTTP/2 takes 27 % less time (26–28 %)',
    'faster',
    faster,
    '27 % less time to load than with HTTP/1.1 (95 % interval 26–28 %',
  ],
  [
    'HTTP/2 takes 52 % more time (47–57 %)',
    'slower',
    slower,
    '52 % more time to load than with HTTP/1.1 (95 % interval 47–57 %',
  ],
  [
    'HTTP/2 takes 3.1 % less time (2.9–3.3 %), less than the 5 % that matter',
    'faster',
    slight,
    'real, but smaller than the 5 % declared to matter',
  ],
  ['HTTP/2: no difference above 5 %', 'equivalent', alike, 'equivalent within 5 %'],
  [
    'HTTP/2: undecided, between 26 % more and 18 % less time',
    'undecided',
    unclear,
    'between 26 % more and 18 % less time',
  ],
  [
    'HTTP/2 takes 28 % less time in one Block, no interval',
    'undecided',
    faster.slice(0, 1),
    '28 % less time to load than with HTTP/1.1 in the one',
  ],
])('states "%s" where the Comparison states the same', (text, kind, values, stated) => {
  const { outcome, findings } = summarise({ 'HTTP/1.1': baseline.slice(0, values.length), 'HTTP/2': values });
  expect(outcome).toMatchObject({
    kind: 'compared',
    text,
    scenario: 'HTTP/2',
    baseline: 'HTTP/1.1',
    otherScenarios: 0,
  });
  expect(kindOfOutcome(outcome)).toBe(kind);
  expect(findings[0]).toContain(stated);
});

it('has the interval that decides the verdict, and the margin', () => {
  const { outcome } = summarise({ 'HTTP/1.1': baseline, 'HTTP/2': faster });
  expect(outcome).toMatchObject({ confidence: 0.95, margin: 0.05 });
  expect(summarise({ 'HTTP/1.1': baseline, 'HTTP/2': alike }).outcome).toMatchObject({
    confidence: expect.closeTo(0.9) as number,
  });
  expect(summarise({ 'HTTP/1.1': [1000], 'HTTP/2': [900] }).outcome).toMatchObject({
    low: null,
    high: null,
    confidence: null,
    margin: null,
  });
});

it('chooses the largest difference that is shown among several Scenarios, and counts the others', () => {
  expect(summarise({ 'HTTP/1.1': baseline, alike, unclear, 'HTTP/2': faster, proxy: slower }).outcome).toMatchObject({
    scenario: 'proxy',
    verdict: 'slower',
    otherScenarios: 3,
  });
  expect(summarise({ 'HTTP/1.1': baseline, unclear, alike }).outcome).toMatchObject({ scenario: 'alike' });
});

it('says why nothing is compared', () => {
  expect(summarise({ 'HTTP/1.1': baseline }).outcome).toEqual({ kind: 'none', text: 'only one Scenario' });
  const { outcome } = summarise({ 'HTTP/1.1': baseline, 'HTTP/2': [] });
  expect(outcome).toEqual({ kind: 'none', text: 'no page loaded under two Scenarios' });
  expect(kindOfOutcome(outcome)).toBe('none');
});
