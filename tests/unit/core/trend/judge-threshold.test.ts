import { expect, test } from 'vitest';
import { TrendSettingsSchema } from '#core/evaluation/trend-settings.ts';
import { arrangeTrend } from '#core/trend/arrange-trend.ts';
import { describeThreshold, judgeThreshold } from '#core/trend/judge-threshold.ts';
import { makeTrendRun } from '#tests/support/make-trend-run.ts';

const judge = (reductions: Record<string, number>, threshold: number, standardError: number | null = 0.01) =>
  judgeThreshold(makeTrendRun('1', { reductions, standardError }).trend!, threshold);

test('a Run is above or below a threshold only where the whole interval is', () => {
  expect(judge({ proxy: 0.3 }, 0.1)).toBe('above');
  expect(judge({ proxy: 0.3 }, 0.4)).toBe('below');
  expect(judge({ proxy: 0.3 }, 0.3)).toBe('undecided');
  expect(judge({ proxy: 0.3 }, 0.1, null)).toBe('undecided');
  expect(judge({ proxy: -0.2 }, -0.05)).toBe('below');
  expect(judge({}, 0.1)).toBe('undecided');
});

test('one Scenario below is enough, and all must be above', () => {
  expect(judge({ one: 0.3, other: 0.05 }, 0.1)).toBe('below');
  expect(judge({ one: 0.3, other: 0.1 }, 0.1)).toBe('undecided');
  expect(judge({ one: 0.3, other: 0.2 }, 0.1)).toBe('above');
});

test('a Run is not above where a Scenario has no reduction, as one that loads no page', () => {
  const { trend } = makeTrendRun('1', { reductions: { one: 0.3, other: 0.2 } });
  const judgeWithout = (lacking: string, threshold: number) => {
    const scenarios = trend!.scenarios.map((each) => (each.scenario === lacking ? { ...each, reduction: null } : each));
    return judgeThreshold({ scenarios }, threshold);
  };
  expect(judgeWithout('other', 0.1)).toBe('undecided');
  expect(judgeWithout('other', 0.4)).toBe('below');
});

test('the threshold is described with the side of the newest Run, however the Runs are placed', () => {
  const runs = [
    makeTrendRun('1', { reductions: { proxy: 0.02 }, labels: { build: '9' } }),
    makeTrendRun('2', { reductions: { proxy: 0.3 }, labels: { build: '8' } }),
  ];
  const arranged = arrangeTrend(runs, 'label:build')!;
  expect(describeThreshold(arranged, 0.125)).toEqual([
    'The threshold is a reduction of 12.5 %. Run 2, the newest, is above it.',
    'Of 2 Runs, 1 is below it.',
  ]);
  expect(describeThreshold(arranged, 0.5)[0]).toBe(
    'The threshold is a reduction of 50 %. Run 2, the newest, is below it: proxy.',
  );
  expect(describeThreshold(arranged, 0.3)[0]).toContain('Run 2, the newest, is not decided');
  expect(describeThreshold(arranged, -0.05)[0]).toContain('a reduction of −5 %.');
  expect(describeThreshold(arranged, null)).toEqual([]);
});

test.for([1, -11, '5 %', Number.NaN])('a threshold of %s is refused', (threshold) => {
  expect(TrendSettingsSchema.safeParse({ threshold }).success).toBe(false);
});
