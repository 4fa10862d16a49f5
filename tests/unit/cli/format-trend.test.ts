import { expect, test } from 'vitest';
import { formatTrend } from '#cli/comparison/print-trend.ts';
import { arrangeTrend } from '#core/trend/arrange-trend.ts';
import { makeTrendRun } from '#tests/support/make-trend-run.ts';

const format = (runs: Parameters<typeof arrangeTrend>[0]) =>
  formatTrend(arrangeTrend(runs, 'date')!, { name: 'Nightly', isCut: false, threshold: null, isColoured: false });

test('the trend has a line for each Run, and one where its definitions or its engine changed', () => {
  const lines = format([
    makeTrendRun('7', { versions: [2], settings: 'old' }),
    makeTrendRun('8', { labels: { build: '1234' }, engine: 'Chrome/141' }),
    makeTrendRun('9', {
      labels: { build: '1235' },
      engine: 'Chrome/141',
      standardError: null,
      reductions: { proxy: -0.02 },
    }),
    makeTrendRun('10', { isWaiting: true }),
  ]);
  expect(lines).toEqual([
    'Total page load latency of "Nightly"',
    'Run            Started      Labels  Settings         Reduction: proxy',
    '7    2026-11-07 10:00Z           —         A   30 % less (26 to 34 %)',
    '  metric definitions 2 → 3',
    '  engine Chrome/140 → Chrome/141',
    '8    2026-11-08 10:00Z  build=1234         B   30 % less (26 to 34 %)',
    '9    2026-11-09 10:00Z  build=1235         B  2.0 % more, no interval',
    '',
    'A change can be shown from 8 Runs of the same settings on. There is 1 with an interval.',
    'Not computed yet: 1 Run',
    'Each with the interval of its Comparison. Runs with the same letter had the same settings. Rounds of different Runs are not paired.',
  ]);
});

test('an Evaluation of one Scenario has its mean', () => {
  const lines = format([makeTrendRun('1', { reductions: {} })]);
  expect(lines.slice(1, 3)).toEqual([
    'Run            Started  Labels  Settings  Mean, ms: direct',
    '1    2026-11-01 10:00Z       —         A         1000 ± 20',
  ]);
});

test('a text of a person has no control characters', () => {
  const hostile = makeTrendRun('1', { labels: { build: '\u001b[31m' }, reductions: { '\u001b[2J': 0.1 } });
  expect(format([hostile]).join('\n')).not.toContain('\u001b');
});
