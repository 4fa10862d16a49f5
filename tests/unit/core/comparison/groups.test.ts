import { describe, expect, it } from 'vitest';
import { formatComparison } from '#cli/comparison/format-comparison.ts';
import { compareHostLoads } from '#core/comparison/host-load/compare-host-loads.ts';
import { stateHostLoad } from '#core/comparison/host-load/state-host-load.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { RecordedVisit, RunRecord } from '#core/record/run-record.ts';
import { makeRecordedRound, makeRecordedVisit, makeRunRecord } from './support/visits.ts';

const blocks = 6;

interface Arm {
  name: string;
  baseline?: boolean;
  group?: string;
  variables?: Record<string, string | number>;
}

/** A Run in which each Scenario takes so many ms, by Block and page. */
function recordOf(scenarios: Arm[], msOf: (scenario: string, url: string, block: number) => number): RunRecord {
  const evaluation = EvaluationSchema.parse({
    name: 'Groups',
    urlLists: { pages: ['http://origin.test/{a,b}'] },
    userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
    scenarios,
    repetition: { rounds: blocks },
  });
  const rounds = Array.from({ length: blocks }, (_, index) => index + 1).flatMap((block) =>
    scenarios.map(({ name: scenario }) => ({ block, scenario })),
  );
  return makeRunRecord({
    evaluation,
    rounds: rounds.map(makeRecordedRound),
    visits: rounds.flatMap(({ block, scenario }) =>
      ['http://origin.test/a', 'http://origin.test/b'].map((url): RecordedVisit => {
        const ms = msOf(scenario, url, block);
        return makeRecordedVisit({
          block,
          scenario,
          userAgent: 'alice',
          url,
          latencies: { baseMs: ms, viewportMs: ms, totalMs: ms },
        });
      }),
    ),
  });
}

const grouped: Arm[] = [
  { name: 'direct at 256', baseline: true, group: '256 kb/s', variables: { rateKbps: 256 } },
  { name: 'proxy at 256', group: '256 kb/s', variables: { rateKbps: 256 } },
  { name: 'proxy at 1000', group: '1000 kb/s', variables: { rateKbps: 1000 } },
  { name: 'direct at 1000', baseline: true, group: '1000 kb/s', variables: { rateKbps: 1000 } },
];
const means = new Map([
  ['direct at 256', 8000],
  ['proxy at 256', 6000],
  ['direct at 1000', 2000],
  ['proxy at 1000', 2200],
]);
const noise = (scenario: string, block: number) => 1 + (((scenario.length * 7 + block * 5) % 11) - 5) / 500;
const msOf = (scenario: string, _: string, block: number) => means.get(scenario)! * noise(scenario, block);

describe('Scenarios in groups', () => {
  const comparison = computeComparison(recordOf(grouped, msOf));
  const primary = comparison.metrics.find(({ metric }) => metric === 'totalMs')!;

  it('are compared with the baseline of their own group', () => {
    expect(comparison.groups).toEqual([
      { name: '256 kb/s', baseline: 'direct at 256', scenarios: ['direct at 256', 'proxy at 256'] },
      { name: '1000 kb/s', baseline: 'direct at 1000', scenarios: ['proxy at 1000', 'direct at 1000'] },
    ]);
    const ratios = new Map(primary.scenarios.map(({ scenario, reduction }) => [scenario, reduction?.ratio]));
    expect(ratios.get('direct at 256')).toBeUndefined();
    expect(ratios.get('direct at 1000')).toBeUndefined();
    expect(ratios.get('proxy at 256')).toBeCloseTo(0.25, 1);
    expect(ratios.get('proxy at 1000')).toBeCloseTo(-0.1, 1);
  });

  it('give the reductions, intervals and p-values that each group gives alone; only the correction is over all', () => {
    for (const { name, scenarios } of comparison.groups!) {
      const own = grouped
        .filter((arm) => scenarios.includes(arm.name))
        .map(({ name: arm, baseline, variables }): Arm => ({
          name: arm,
          baseline: baseline === true,
          variables: variables!,
        }));
      const alone = computeComparison(recordOf(own, msOf)).metrics.find(({ metric }) => metric === 'totalMs')!;
      for (const scenario of alone.scenarios.filter(({ isBaseline }) => !isBaseline)) {
        const found = primary.scenarios.find((each) => each.scenario === scenario.scenario)!;
        expect({ ...found.reduction, adjustedP: 0 }, name).toEqual({ ...scenario.reduction, adjustedP: 0 });
        expect(found.contrast!.equivalence).toEqual(scenario.contrast!.equivalence);
      }
      const cellsOf = ({ cells }: typeof alone) =>
        cells
          .filter((cell) => scenarios.includes(cell.scenario))
          .map(({ scenario, url, userAgent, reduction }) => ({ scenario, url, userAgent, ratio: reduction?.ratio }));
      expect(new Set(cellsOf(primary))).toEqual(new Set(cellsOf(alone)));
    }
    expect(primary.familySize).toBe(2);
    const [first, second] = primary.scenarios
      .flatMap(({ reduction }) => reduction ?? [])
      .sort((one, other) => one.p! - other.p!);
    expect(first!.adjustedP).toBe(2 * first!.p!);
    expect(second!.adjustedP).toBe(Math.max(second!.p!, 2 * first!.p!));
  });

  it('are named with their group in the findings, the conditions and the terminal', () => {
    expect(comparison.findings[0]).toMatch(
      /^256 kb\/s: With proxy at 256, these pages take 2\d % less time to load than with direct at 256 \(.*corrected for 2 comparisons/,
    );
    expect(comparison.findings[1]).toMatch(
      /^1000 kb\/s: With proxy at 1000, these pages take \S+ % more time to load than with direct at 1000 \(/,
    );
    expect(
      comparison.conditions.map(({ group, variables, differences }) => [group, variables, differences.length]),
    ).toEqual([
      ['256 kb/s', { rateKbps: 256 }, 0],
      ['256 kb/s', { rateKbps: 256 }, 0],
      ['1000 kb/s', { rateKbps: 1000 }, 0],
      ['1000 kb/s', { rateKbps: 1000 }, 0],
    ]);
    const lines = formatComparison(comparison, { isColoured: false }).split('\n');
    expect(lines.find((line) => line.includes('Reduction of'))).toMatch(/^Group +Scenario/);
    expect(lines.filter((line) => /^1000 kb\/s +(direct|proxy) at 1000/.test(line))).toHaveLength(2);
    const heading = lines.indexOf('Total page load latency in ms, by URL: 1000 kb/s');
    expect(lines[heading + 1]).toMatch(/^URL +proxy at 1000 +direct at 1000 \(baseline\) +Reduction$/);
    expect(lines[heading + 2]).toMatch(/^http:\/\/origin\.test\/a +2.* ± .* +[12].* ± /);
  });

  it('have reversals of their own', () => {
    const record = recordOf(
      grouped,
      (scenario, url, block) =>
        msOf(scenario, url, block) * (scenario === 'proxy at 1000' && url.endsWith('a') ? 0.5 : 1),
    );
    const found = computeComparison(record);
    expect(found.findings[1]).toMatch(/^1000 kb\/s: .* It depends on the page: /);
    expect(found.findings[0]).not.toContain('It depends');
  });
});

it('an Evaluation without groups has the report that it had: no group is in it, and none is named', () => {
  const plain: Arm[] = [{ name: 'direct at 256', baseline: true }, { name: 'proxy at 256' }, { name: 'proxy at 1000' }];
  const comparison = computeComparison(recordOf(plain, msOf));
  expect(JSON.stringify(comparison)).not.toMatch(/group|variables":\{"rateKbps/);
  expect(comparison.findings[0]).toMatch(/^With proxy at 256, these pages take/);
  expect(formatComparison(comparison, { isColoured: false })).not.toMatch(/Group\b/);
});

it('a host that was busier under a Scenario than under the baseline of its group is remarked on, and no other', () => {
  const groups = computeComparison(recordOf(grouped, msOf)).groups!;
  const none = { kind: 'measured', value: 0 } as const;
  const loads = Array.from({ length: blocks }, (_, block) => block).flatMap((block) =>
    grouped.map(({ name: scenario, group }) => {
      const busy = (group === '256 kb/s' ? 0.2 : 0.6) + (scenario === 'proxy at 1000' ? 0.2 : 0) + block / 1000;
      const load = {
        kind: 'measured' as const,
        durationMs: 5000,
        cpuCount: 4,
        figures: {
          busyRatio: { kind: 'measured' as const, value: busy + scenario.length / 10_000 },
          stealRatio: none,
          cpuPressureRatio: none,
          memoryPressureRatio: none,
          ioPressureRatio: none,
          loadAverage: none,
          memoryAvailableBytes: none,
        },
      };
      return { block, scenario, host: 'laptop', load };
    }),
  );
  const scenarios = grouped.map(({ name }) => name);
  const remarks = stateHostLoad(compareHostLoads(loads, { scenarios, baseline: 'direct at 256', groups }), groups);
  expect(remarks.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /\(proxy at 1000\): the hosts were busier than under direct at 1000, the baseline of 1000 kb\/s: .* % of the processor was taken, not \d+ % /,
    ),
  ]);
});
