import { describe, expect, it } from 'vitest';
import { compareLatencies } from '#core/comparison/latencies/compare-latencies.ts';
import { gatherLatencies, type VisitLatencies } from '#core/comparison/cells/gather-cells.ts';
import { stateFindings } from '#core/comparison/findings/state-findings.ts';
import { stateRemarks } from '#core/comparison/remarks/state-remarks.ts';
import type { UserComparison } from '#core/comparison/users/compare-users.ts';

const absent = { kind: 'absent', reason: 'not looked at here' } as const;
const design = {
  scenarios: ['HTTP/1.1', 'HTTP/2'],
  baseline: 'HTTP/1.1',
  userAgents: ['alice'],
  urls: [{ url: 'http://origin/', label: 'page', variables: {} }],
  confidence: 0.95,
  declaredConfidence: 0.95,
  equivalenceMargin: 0.05,
  family: ['totalMs'] as const,
  seed: 1,
};

/** A Visit of each Scenario in each Block, with that latency in ms; null when it failed at the time limit. */
function visitsOf(byScenario: Record<string, (number | null)[]>): VisitLatencies[] {
  return Object.entries(byScenario).flatMap(([scenario, values]) =>
    values.map((value, block) => ({
      block,
      scenario,
      userAgent: 'alice',
      url: 'http://origin/',
      isFailed: value === null,
      isTimedOut: value === null,
      isExcluded: false,
      latencies: { baseMs: value, viewportMs: value, totalMs: value },
    })),
  );
}

function findingsOf(
  byScenario: Record<string, (number | null)[]>,
  change: Partial<typeof design> & {
    users?: UserComparison;
    order?: 'random-blocks' | 'sequential';
    unsettledVisits?: number;
  } = {},
): string[] {
  const { users = absent, order = 'random-blocks', unsettledVisits = 0, ...own } = change;
  const comparisons = compareLatencies(gatherLatencies(visitsOf(byScenario)), {
    ...design,
    scenarios: Object.keys(byScenario),
    ...own,
  });
  const primary = comparisons.find(({ metric }) => metric === 'totalMs')!;
  return [
    ...stateFindings({ primary, bandwidth: absent, baseline: 'HTTP/1.1', confidence: 0.95 }),
    ...stateRemarks({
      primary,
      users,
      failedObjects: { rule: 'count', failureCode: null, scenarios: [] },
      baseline: 'HTTP/1.1',
      confidence: 0.95,
      order,
      unsettledVisits,
    }).map(({ text }) => text),
  ];
}

const baseline = [1000, 1010, 990, 1005, 995, 1002];
const times = (factors: number[]) => baseline.map((value, block) => value * factors[block]!);

describe('the finding in words', () => {
  it('states a gain and a loss, with interval and p', () => {
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': times([0.72, 0.74, 0.73, 0.75, 0.71, 0.73]) })[0]).toBe(
      'With HTTP/2, these pages take 27 % less time to load than with HTTP/1.1 (95 % interval 26–28 %, p < 0.001; total page load latency, 6 Blocks).',
    );
    // scipy: ttest_1samp(log([1.1, …]), 0).pvalue = 0.00174, its interval 6.71 to 17.35 %
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': times([1.1, 1.15, 1.12, 1.05, 1.2, 1.1]) })[0]).toBe(
      'With HTTP/2, these pages take 12 % more time to load than with HTTP/1.1 (95 % interval 6.7–17 %, p = 0.0017; total page load latency, 6 Blocks).',
    );
  });

  it('holds back what a stop rule may have found by chance: p-values are raised as much as intervals are widened', () => {
    const byScenario = { 'HTTP/1.1': baseline, 'HTTP/2': times([1.1, 1.15, 1.12, 1.05, 1.2, 1.1]) };
    const adjustedPOf = (confidence: number) =>
      compareLatencies(gatherLatencies(visitsOf(byScenario)), { ...design, confidence })
        .find(({ metric }) => metric === 'totalMs')!
        .scenarios.find(({ scenario }) => scenario === 'HTTP/2')!.reduction!.adjustedP!;
    expect(adjustedPOf(0.96) / adjustedPOf(0.95)).toBeCloseTo(1.25, 10);
  });

  it('states both verdicts of a real difference that is smaller than what was declared to matter', () => {
    const slight = times([0.968, 0.97, 0.966, 0.971, 0.967, 0.97]);
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': slight })[0]).toBe(
      'With HTTP/2, these pages take 3.1 % less time to load than with HTTP/1.1 (95 % interval 2.9–3.3 %, p < 0.001; total page load latency, 6 Blocks). The difference is real, but smaller than the 5 % declared to matter.',
    );
    expect(findingsOf({ 'HTTP/1.1': slight, 'HTTP/2': baseline })[0]).toMatch(
      /more time .* Blocks\)\. The difference is real, but smaller than the 5 % declared to matter\.$/,
    );
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': slight }, { equivalenceMargin: 0.025 })[0]).toMatch(
      /6 Blocks\)\.$/,
    );
  });

  describe('where some pages are faster and others slower', () => {
    const pages = ['2 images', '8 images', '12 images'];
    const reversalOf = (factors: number[], { notComparable = new Set<string>() } = {}) => {
      const visits = pages.flatMap((url, page) => {
        const noise = [0.001, -0.002, 0.0015, -0.0005, 0.002, -0.001];
        const own = visitsOf({
          'HTTP/1.1': baseline,
          'HTTP/2': baseline.map((value, block) => value * (factors[page]! + noise[(block + page) % 6]!)),
          ...Object.fromEntries([...notComparable].map((scenario) => [scenario, baseline])),
        });
        return own.map((visit) => ({ ...visit, url }));
      });
      const comparisons = compareLatencies(gatherLatencies(visits), {
        ...design,
        scenarios: ['HTTP/1.1', 'HTTP/2', ...notComparable],
        urls: pages.map((url) => ({ url, label: url, variables: {} })),
        notComparable,
      });
      const primary = comparisons.find(({ metric }) => metric === 'totalMs')!;
      const losses = new Map([...notComparable].map((scenario) => [scenario, { value: 0.5, adjustedP: 0.01 }]));
      return {
        reversal: primary.scenarios[1]!.reversal,
        finding: stateFindings({ primary, bandwidth: absent, losses, baseline: 'HTTP/1.1', confidence: 0.95 })[0]!,
      };
    };

    it('states from where to where, and of how many', () => {
      const { reversal, finding } = reversalOf([1.064, 1, 0.88]);
      expect(finding).toContain(
        'declared to matter. It depends on the page: from 6.4 % more time (6.3–6.6 %) on 2 images to 12 % less time (12–12 %) on 12 images. Of 3 pages: 1 slower, 1 faster, 1 unclear (p corrected for 3 comparisons).',
      );
      expect(reversal).toMatchObject({
        pages: 3,
        faster: 1,
        slower: 1,
        comparisons: 3,
        fastest: { url: '12 images' },
        slowest: { url: '2 images' },
      });
      expect(reversal!.slowest.reduction.adjustedP!).toBeLessThan(0.05);
    });

    it('counts the pages of a Scenario that is not comparable, as they were corrected with the others', () => {
      expect(reversalOf([1.064, 1, 0.88], { notComparable: new Set(['HTTP/3']) }).reversal!.comparisons).toBe(6);
    });

    it('states none where all go the same way, or one of the signs is not shown', () => {
      expect(reversalOf([0.99, 0.95, 0.88])).toEqual({
        reversal: null,
        finding: expect.not.stringContaining('depends on the page') as string,
      });
      expect(reversalOf([1.0004, 0.95, 0.88]).reversal).toBeNull();
    });
  });

  it('reports that two are equivalent, and distinguishes that from an undecided result', () => {
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': times([1.01, 0.99, 1, 1.02, 0.985, 1]) })[0]).toBe(
      'HTTP/2 and HTTP/1.1 are equivalent within 5 %: HTTP/2 takes between 1.1 % more and 0.97 % less time (90 % interval, p < 0.001; total page load latency, 6 Blocks).',
    );
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': times([1.2, 0.8, 1.1, 0.85, 1, 0.95]) })[0]).toMatch(
      /^Undecided: no difference is shown yet, nor equivalence within 5 %\. HTTP\/2 takes between \d+ % more and \d+ % less time, compared with HTTP\/1.1 \(95 % interval, p = 0\.\d+; total page load latency, 6 Blocks\)\. More Rounds narrow the interval\.$/,
    );
  });

  it('never finds a constant difference untested: it is the clearest change', () => {
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': baseline.map((value) => value * 0.9) })[0]).toBe(
      'With HTTP/2, these pages take 10 % less time to load than with HTTP/1.1 (95 % interval 10–10 %, p < 0.001; total page load latency, 6 Blocks).',
    );
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': baseline })[0]).toMatch(
      /^HTTP\/2 and HTTP\/1.1 are equivalent within 5 %/,
    );
  });

  it('says when a difference does not outlive the correction for the family', () => {
    const slight = times([0.985, 0.995, 0.975, 0.99, 0.97, 1.002]);
    const alone = findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': slight }, { equivalenceMargin: 0.01 });
    expect(alone[0]).toContain('less time to load than with HTTP/1.1');
    const noise = [
      [1.1, 0.95, 1, 0.9, 1.05, 1.02],
      [0.96, 1.04, 1.1, 0.9, 1, 0.97],
      [1.03, 0.92, 1.08, 0.99, 1.01, 0.94],
    ].map(times);
    const among = findingsOf(
      { 'HTTP/1.1': baseline, 'HTTP/2': slight, a: noise[0]!, b: noise[1]!, c: noise[2]! },
      { equivalenceMargin: 0.01 },
    );
    expect(among[0]).toContain('Among 4 comparisons, chance gives such a result too often');
    expect(among[0]).toContain('corrected for 4 comparisons');
  });

  it('says what cannot be stated', () => {
    expect(findingsOf({ 'HTTP/1.1': [1000], 'HTTP/2': [500] })[0]).toContain(
      '50 % less time to load than with HTTP/1.1 in the one Block that has both (total page load latency). One Block gives no interval',
    );
    expect(findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': [null, null] })[0]).toContain(
      'HTTP/2 cannot be compared with HTTP/1.1',
    );
    expect(findingsOf({ 'HTTP/1.1': [1000, 1010, null, null, null], 'HTTP/2': [null, null, 900, 905, 990] })[0]).toBe(
      'No Block has a total page load latency under both HTTP/2 and HTTP/1.1, so drift of the conditions affects this result. A Round of HTTP/2 takes less time in 100 % of all pairs (Mann–Whitney, p = 0.20).',
    );
  });

  it('warns of drift where Scenarios were measured one after the other', () => {
    const byScenario = { 'HTTP/1.1': baseline, 'HTTP/2': baseline };
    expect(findingsOf(byScenario, { order: 'sequential' }).slice(1)).toEqual([
      expect.stringContaining('a drift of the conditions looks like a difference'),
    ]);
    expect(findingsOf(byScenario)).toHaveLength(1);
  });

  it('lists the flags, and the Scenarios that they are of', () => {
    const findings = findingsOf({ 'HTTP/1.1': baseline, 'HTTP/2': [700, 710, null, 720, 705, 715] });
    expect(findings.slice(1)).toEqual([
      '1 of 12 Visits failed. The figures cover the others. Scenarios are compared on the pages that all of them loaded.',
      expect.stringMatching(/^Flag “censored” \(HTTP\/2\): Some Visits did not load or settle in time/),
    ]);
  });

  it('reports that the first to start is served better, where the corrected p shows it', () => {
    const usersOf = (...adjustedPs: number[]): UserComparison => ({
      kind: 'measured',
      scenarios: adjustedPs.map((adjustedP, index) => ({
        scenario: `HTTP/${index + 1}`,
        users: [],
        maxMinRatio: null,
        byStartOrder: [],
        startSkewMs: null,
        firstToStart: { blocks: 6, ratio: 0.1, low: 0.08, high: 0.12, p: adjustedP / 2, adjustedP },
      })),
    });
    const byScenario = { 'HTTP/1.1': baseline, 'HTTP/2': baseline };
    expect(findingsOf(byScenario, { users: usersOf(0.002) })[1]).toBe(
      'Under HTTP/1, the User Agent that starts first takes 10 % less time than its Round’s average (95 % interval 8.0–12 %, p = 0.0020).',
    );
    expect(findingsOf(byScenario, { users: usersOf(0.06, 0.04) }).slice(1)).toEqual([
      expect.stringMatching(/^Under HTTP\/2, .* p = 0.040 corrected for 2 Scenarios\)\.$/),
    ]);
  });

  it('counts Visits that did not settle', () => {
    const scenarios = { 'HTTP/1.1': baseline, 'HTTP/2': baseline };
    expect(findingsOf(scenarios, { unsettledVisits: 3 })[1]).toBe(
      '3 Visits had not settled by the hard cap. No figure includes what such a page loaded later, so its total latency may be too low.',
    );
    expect(findingsOf(scenarios)).toHaveLength(1);
  });

  it('reports a change of fairness where the intervals do not touch and two decimals show it', () => {
    const comparisons = compareLatencies(
      gatherLatencies(visitsOf({ 'HTTP/1.1': baseline, 'HTTP/2': baseline })),
      design,
    );
    const fairness = (mean: number, halfWidth: number) => ({
      rounds: 6,
      mean,
      standardDeviation: halfWidth,
      halfWidth,
    });
    const scenarioOf = (scenario: string, mean: number, halfWidth: number) => ({
      scenario,
      roundsCounted: 6,
      roundsLeftOut: 0,
      roundsWithDrops: 0,
      shares: [],
      fairness: fairness(mean, halfWidth),
      weightedFairness: null,
      leastToMost: null,
    });
    const stated = (mean: number, halfWidth = 0.01) =>
      stateFindings({
        primary: comparisons[2]!,
        baseline: 'HTTP/1.1',
        confidence: 0.95,
        bandwidth: {
          kind: 'measured',
          scenarios: [scenarioOf('HTTP/1.1', 0.99, halfWidth), scenarioOf('HTTP/2', mean, halfWidth)],
        },
      })[0];
    expect(stated(0.81)).toMatch(/ Fairness fell from 0.99 to 0.81\.$/);
    expect(stated(0.985)).not.toContain('Fairness');
    expect(stated(0.985, 0.0001)).not.toContain('Fairness');
  });
});
