import { expect, test } from 'vitest';
import { formatComparison } from '#cli/comparison/format-comparison.ts';
import { wantsColour } from '#cli/comparison/format-table.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { estimate, cell, comparison } from './support/two-protocols.ts';

test('a comparison reads: findings, Scenarios, URLs, and what the figures rest on', () => {
  expect(formatComparison(comparison, { isColoured: false })).toBe(
    `
Two protocols

With HTTP/2, these pages take 23 % less time to load than with HTTP/1.1.
8 of 10 checks passed. Failed: Visits loaded (touches the reduction), Pages settled (touches the reduction).

Why: causes of the mean total page load latency, ms
With HTTP/2, these pages take 354 ms less: −412 ms opening connections.
Scenario  Opening a connection  Receiving
HTTP/1.1                   812        700
HTTP/2                     400        758

Scenario             Base page, ms  Viewport, ms  Total, ms                   Reduction of total                  of arithmetic means  Visits  Failed  Failed objects
HTTP/1.1 (baseline)    51.3 ± 12.3      212 ± 12  1512 ± 12                                                                                20       0              20
HTTP/2                  40.0 ± 4.3       180 ± 4   1158 ± 4  23 % less (1.2 % more to 41 % less)  18 % less (5.0 % more to 33 % less)      20       3      26, 9 lost

Total page load latency in ms, by URL
URL          HTTP/1.1  HTTP/2
1 image    99.9 ± 1.3    88.0
30 images   2924 ± 31       —

Run 7 (completed, seed 42): 10 Rounds counted, 1 broken, 2 warm-up left out; largest skew of first requests 4.4 ± 3.0 ms, largest skew of orders 2.3 ± 0.4 ms, largest skew of first packets 7.8 ms.
4 Visits did not settle, 0 were hidden. User Agents: alice, bob.
Mean ± half-width of the 95 % interval over Rounds; —: not measured.`.trim(),
  );
});

test('each URL has its reduction, where there are not too many beside each other', () => {
  const reduction = { blocks: 5, ratio: 0.2, low: 0.1, high: 0.29, p: 0.01, adjustedP: 0.02 };
  const cellsOf = (names: readonly string[]) => [
    cell('HTTP/1.1', '1 image'),
    ...names.map((name) => cell(name, '1 image', { reduction })),
    cell('HTTP/1.1', '30 images'),
    ...names.map((name) => cell(name, '30 images')),
  ];
  const linesOf = (names: readonly string[]) => {
    const scenarios = ['HTTP/1.1', ...names];
    const metrics = comparison.metrics.map((each) => ({ ...each, cells: cellsOf(names) }));
    const lines = formatComparison({ ...comparison, scenarios, metrics }, { isColoured: false }).split('\n');
    const head = lines.findIndex((line) => line.startsWith('URL '));
    return lines.slice(head, head + 3);
  };
  expect(linesOf(['HTTP/2'])).toEqual([
    'URL        HTTP/1.1    HTTP/2               Reduction',
    '1 image    100 ± 10  100 ± 10  20 % less (10 to 29 %)',
    '30 images  100 ± 10  100 ± 10                       —',
  ]);
  expect(linesOf(['a', 'b'])[0]).toMatch(/ Reduction: a +Reduction: b$/);
  expect(linesOf(['a', 'b', 'c', 'd'])[0]).not.toContain('Reduction');
});

test('causes of some Visits alone say how many are in no mean', () => {
  const linesOf = (visitsWithout: number) => {
    const causes = { ...comparison.causes, visitsWithout } as Comparison['causes'];
    return formatComparison({ ...comparison, causes }, { isColoured: false }).split('\n');
  };
  expect(linesOf(3)).toContain('3 Visits could not be split.');
  expect(linesOf(0).some((line) => line.includes('could not be split'))).toBe(false);
});

test('a Scenario that loses objects has no number against its baseline', () => {
  const contrast = { verdict: 'not-comparable' } as NonNullable<MetricComparison['scenarios'][number]['contrast']>;
  const metrics = comparison.metrics.map((each) => ({
    ...each,
    scenarios: each.scenarios.map((scenario) =>
      scenario.isBaseline ? scenario : { ...scenario, reduction: null, meanReduction: null, contrast },
    ),
  }));
  const text = formatComparison({ ...comparison, metrics }, { isColoured: false });
  expect(text).toMatch(/^HTTP\/2 .* 1158 ± 4 +not comparable +not comparable +20 /mu);
});

test('names from elsewhere cannot steer the terminal', () => {
  const hostile = { ...comparison, evaluationName: 'a\u001B[2Jb\u0007c', userAgents: ['x\r\ny'] };
  const text = formatComparison(hostile, { isColoured: false });
  expect(text).toContain('ab c');
  expect(text).toContain('User Agents: x  y.');
});

test('colours are for terminals whose user did not refuse them', () => {
  expect(formatComparison(comparison, { isColoured: true })).toContain('\u001B[1mTwo protocols\u001B[22m');
  expect(wantsColour({ isTTY: true }, {})).toBe(true);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(wantsColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
  expect(wantsColour({}, {})).toBe(false);
});

test('a skew has no error of zero, and a single User Agent has no skew', () => {
  const basisOf = (own: Partial<Comparison>) =>
    formatComparison({ ...comparison, firstRequestSkew: null, firstPacketSkew: null, ...own }, { isColoured: false })
      .split('\n')
      .find((line) => line.startsWith('Run 7'));
  const startSkew = { rounds: 10, medianMs: 1.2, largestMs: 2.345, errorMs: 0 };
  expect(basisOf({ startSkew })).toMatch(/left out; largest skew of orders 2\.3 ± < 0\.1 ms\.$/);
  expect(basisOf({ startSkew: null })).toMatch(/left out; start skew unknown\.$/);
  expect(basisOf({ startSkew: null, userAgents: ['alice'] })).toMatch(/2 warm-up left out\.$/);
});

test('what users cost each other reads as in the web UI, and a user who is not there has no column filled', () => {
  const part = (userAgent: string, mean: number) => ({ userAgent, estimate: estimate(mean, 0.2) });
  const link = { own: estimate(1, 1), others: estimate(1, 1), repairs: null, idle: [] };
  const common = { rateKbps: 1000, roundsCounted: 2, link };
  const alone = {
    ...{ userAgent: 'alice', soloScenario: 'alone', blocks: 5, aloneMs: 812.3, togetherMs: 812 },
    slowDown: { value: -0.3, low: -1, high: 0.1 },
    harm: { blocks: 5, ratio: -0.0012, low: -0.01, high: 0.01 },
  };
  const lines = formatComparison(
    {
      ...comparison,
      harm: { metric: 'totalMs', scenarios: [{ scenario: 'HTTP/2', users: [alone] }] },
      delays: {
        kind: 'measured',
        scenarios: [
          { ...common, scenario: 'HTTP/1.1', users: [{ userAgent: 'bob', by: [part('bob', 7)] }] },
          {
            ...common,
            scenario: 'HTTP/2',
            users: ['alice', 'bob'].map((userAgent) => ({ userAgent, by: [part('alice', 3), part('bob', 4)] })),
          },
        ],
      },
    },
    { isColoured: false },
  )
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(lines).toContainEqual(['HTTP/2', 'alice', '812', '812', '0 ± < 1', '−0.12 %']);
  expect(lines).toContainEqual(['Scenario', 'waits', 'by bob', 'by alice']);
  expect(lines).toContainEqual(['HTTP/1.1', 'bob', '7 ± < 1', '—']);
  expect(lines).toContainEqual(['HTTP/2', 'alice', '4 ± < 1', '3 ± < 1']);
});
