import { describe, expect, test } from 'vitest';
import type { MetricUnit } from '#core/metrics/metric-definition.ts';
import { findValues } from '#web-ui/src/components/values-in-text.tsx';
import { formatCount, formatHalfWidth, formatMean, formatNumber } from '#web-ui/src/format/format-numbers.ts';
import {
  formatDuration,
  formatSkew,
  formatTime,
  formatDifferenceMs,
  formatMs,
} from '#web-ui/src/format/format-times.ts';
import { formatOrdinal } from '#web-ui/src/pages/comparison/figures/user-figures.ts';
import { formatPercent, formatConfidence, formatReduction } from '#web-ui/src/format/format-ratios.ts';
import { formatReading } from '#web-ui/src/format/format-reading.ts';
import { formatTimeAgo } from '#web-ui/src/components/time-ago.tsx';

/** Spaces that do not break, made plain so that expectations can be read. */
const plain = (text: string) => text.replace(/[\u00A0\u202F]/g, ' ');

describe('numbers for people', () => {
  test.for([
    [0, 0, '0'],
    [2314.4, 0, '2 314'],
    [1_234_567, 0, '1 234 567'],
    [-0.84, 1, '−0.8'],
    [-0.01, 1, '0.0'],
  ] as const)('%d with %d decimals is %s', ([value, decimals, text]) =>
    expect(plain(formatNumber(value, decimals))).toBe(text),
  );

  test('a latency is whole milliseconds from 100 on, and has one decimal below', () => {
    expect(plain(formatMs(2314.4))).toBe('2 314 ms');
    expect(plain(formatMs(41.26))).toBe('41.3 ms');
  });

  test('a reading has the unit of its metric', () => {
    const read = (value: number, unit: MetricUnit) => plain(formatReading(value, unit));
    expect(read(2314.4, 'ms')).toBe('2 314 ms');
    expect(read(2_500_000, 'bytes')).toBe('2.5 MB');
    expect(read(2314, 'count')).toBe('2 314');
    expect(read(0.0312, 'score')).toBe('0.031');
  });

  test('a value that rounds up to the next digit or unit is written as that', () => {
    const read = (value: number, unit: MetricUnit) => plain(formatReading(value, unit));
    expect([99.94, 99.96, 100, -99.96].map((value) => read(value, 'ms'))).toEqual([
      '99.9 ms',
      '100 ms',
      '100 ms',
      '−100 ms',
    ]);
    expect([999.4, 999.6, 99_960, 999_400, 999_600, 999_999_999].map((value) => read(value, 'bytes'))).toEqual([
      ...['999 B', '1.0 kB', '100 kB', '999 kB', '1.0 MB', '1.0 GB'],
    ]);
  });

  test('a difference has its sign before it, and none where it rounds to nothing', () => {
    expect(
      [-1412.4, 8.26, 0.04, -0.04].map((valueMs) => plain(formatDifferenceMs(valueMs, valueMs < -100 ? 0 : 1))),
    ).toEqual(['−1 412', '+8.3', '0.0', '0.0']);
  });

  test('a reduction has its interval, where there is one', () => {
    expect(plain(formatReduction({ ratio: 0.273, low: -0.012, high: 0.3 }))).toBe(
      '27 % less (1.2 % more to 30 % less)',
    );
    expect(plain(formatReduction({ ratio: 0.273, low: null, high: null }))).toBe('27 % less, no interval');
    expect(plain(formatReduction({ ratio: -13, low: -15.2, high: -8.1 }))).toBe('14 × as much (9.1 to 16 ×)');
  });

  test('a place among others is written as people count', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 102].map(formatOrdinal)).toEqual([
      '1st',
      '2nd',
      '3rd',
      '4th',
      '11th',
      '12th',
      '13th',
      '21st',
      '102nd',
    ]);
  });

  test('a small percentage keeps a decimal, so that it does not vanish', () => {
    expect(plain(formatPercent(0.273))).toBe('27 %');
    expect(plain(formatPercent(0.0999))).toBe('10 %');
    expect(plain(formatPercent(-0.0123))).toBe('−1.2 %');
    expect(plain(formatPercent(0.0004))).toBe('0.04 %');
    expect(plain(formatPercent(0.996))).toBe('99.6 %');
  });

  test.for([
    [0.95, '95 %'],
    [0.96, '96 %'],
    [0.995, '99.5 %'],
    [0.999, '99.9 %'],
    [0.9992, '99.92 %'],
    [0.98 + 0.04 / 12, '98.3 %'],
  ] as const)('an interval of confidence %d is one of %s, and none is one of 100 %%', ([ratio, text]) =>
    expect(plain(formatConfidence(ratio))).toBe(text),
  );

  test('one thing is singular', () => {
    expect(plain(formatCount(1, 'Visit'))).toBe('1 Visit');
    expect(plain(formatCount(2400, 'Visit'))).toBe('2 400 Visits');
  });

  test('are no zero where the half-width of an interval is none', () => {
    expect([41.26, 0.05, 0.04, 0.0001, 0].map((ms) => plain(formatHalfWidth(ms, 1)))).toEqual([
      '± 41.3',
      '± 0.1',
      '± < 0.1',
      '± < 0.1',
      '± 0.0',
    ]);
    expect(plain(formatHalfWidth(0.3, 0))).toBe('± < 1');
    expect(plain(formatMean({ mean: 1234.5, halfWidth: 0.0004 }, 3))).toBe('1 234.500 ± < 0.001');
    expect(plain(formatMean({ mean: 33, halfWidth: null }, 0))).toBe('33 ± —');
  });
});

describe('times for people', () => {
  test.for([
    [0.41, '2.3 ms ± 0.4 ms'],
    [0.03, '2.3 ms ± < 0.1 ms'],
    [0, '2.3 ms ± < 0.1 ms'],
    [120, '2.3 ms ± 120 ms'],
    [null, '2.3 ms'],
  ] as const)('a skew whose error is at most %d ms reads %s', ([errorMs, text]) =>
    expect(plain(formatSkew({ skewMs: 2.345, errorMs }))).toBe(text),
  );

  test.for([
    [12_300, '12 s'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [-5000, '0 s'],
  ] as const)('%d ms are %s', ([durationMs, text]) => expect(formatDuration(durationMs)).toBe(text));

  test.for([
    [59_000, 'just now'],
    [-3000, 'just now'],
    [300_000, '5 min ago'],
    [86_400_000, 'yesterday'],
    [3 * 86_400_000, '3 days ago'],
  ] as const)('%d ms before now is %s', ([agoMs, text]) =>
    expect(formatTimeAgo(1_800_000_000_000 - agoMs, 1_800_000_000_000)).toBe(text),
  );

  test('a moment is written by the clock of its reader, in the order of size', () => {
    expect(plain(formatTime(new Date(2026, 0, 9, 7, 5, 3).toISOString()))).toBe('2026-01-09 07:05:03');
  });
});

test('in a sentence, no line breaks within a number and its unit, a range, or p', () => {
  const finding =
    'HTTP/2 loads 3 pages in 12 % less time than HTTP/1.1 (95 % interval 2.7–3.8 %, p < 0.001; 100 ms of 8 seconds, 6 Blocks, 3–4 of them new)';
  const pieces = findValues(finding);
  expect(pieces.filter(({ isValue }) => isValue).map(({ text }) => text)).toEqual([
    '12 %',
    '95 %',
    '2.7–3.8 %',
    'p < 0.001',
    '100 ms',
    '3–4',
  ]);
  expect(pieces.map(({ text }) => text).join('')).toBe(finding);
});
