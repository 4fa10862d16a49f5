import { expect, test } from 'vitest';
import {
  changeAgainst,
  changeBetween,
  changeOf,
  formatReduction,
  rangeOf,
} from '#core/comparison/findings/reduction-words.ts';
import { lowerFirst, percent, showConfidence } from '#core/comparison/findings/finding-words.ts';

test.each([
  [0.34, '34 % less time than'],
  [-0.52, '52 % more time than'],
  [-1, '100 % more time than'],
  [-1.5, '2.5 × as much time as'],
  [-13, '14 × as much time as'],
] as const)('a reduction of %d is %s the baseline', (reduction, words) => {
  expect(changeAgainst(reduction)).toBe(words);
  expect(changeOf(reduction)).toBe(words.replace(/ (than|as)$/, ''));
});

test('what the time is for is before what it is compared with', () => {
  expect(changeAgainst(-13, ' to load')).toBe('14 × as much time to load as');
  expect(changeAgainst(0.1, ' to load')).toBe('10 % less time to load than');
});

test.each([
  [-0.26, 0.18, 'between 26 % more and 18 % less time'],
  [-12, 0.18, 'between 13 × as much and 18 % less time'],
  [0.02, 0.18, 'between 2.0 % and 18 % less time'],
  [-0.9, -0.2, 'between 90 % and 20 % more time'],
  [-12, -0.2, 'between 13 × and 1.2 × as much time'],
] as const)('what is undecided from %d to %d is %s', (low, high, words) =>
  expect(changeBetween(low, high)).toBe(words),
);

test('an interval is written as its reduction is, or with both signs where it holds zero', () => {
  expect(rangeOf({ ratio: 0.27, low: 0.24, high: 0.3 })).toBe('24–30 %');
  expect(rangeOf({ ratio: -13, low: -15.2, high: -8.1 })).toBe('9.1–16 ×');
  expect(rangeOf({ ratio: -0.9, low: -1.2, high: -0.6 })).toBe('60–120 %');
  expect(rangeOf({ ratio: -1.4, low: -12, high: 0.2 })).toBe('13 × as much to 20 % less');
});

test('a table has the reduction and, in brackets, its interval', () => {
  expect(formatReduction({ ratio: 0.27, low: 0.24, high: 0.3 })).toBe('27 % less (24 to 30 %)');
  expect(formatReduction({ ratio: -13, low: -15.2, high: -8.1 })).toBe('14 × as much (9.1 to 16 ×)');
  expect(formatReduction({ ratio: 0.27, low: null, high: null })).toBe('27 % less, no interval');
  expect(formatReduction({ ratio: 0, low: 0, high: 0 })).toBe('0 % (0 to 0 %)');
});

test.each([
  [0.95, '95 %'],
  [0.999, '99.9 %'],
  [0.995, '99.5 %'],
] as const)('a confidence of %d is %s and never 100 %%', (confidence, words) =>
  expect(showConfidence(confidence)).toBe(words),
);

test.each([
  [0.273, '27'],
  [0.0996, '10'],
  [0.0312, '3.1'],
  [0.00123, '0.12'],
  [0.000123, '0.01'],
  [1e-9, '0'],
  [0.994, '99'],
  [0.995, '99.5'],
  [0.9976, '99.8'],
  [0.99951, '99.95'],
  [1 - 1e-9, '99.99'],
  [1, '100'],
] as const)('%d is %s %%, with no more digits than it is worth', (ratio, words) => expect(percent(ratio)).toBe(words));

test('a name within a sentence begins small, but for an abbreviation', () => {
  expect(['Total page load latency', 'TLS', 'A', ''].map(lowerFirst)).toEqual([
    'total page load latency',
    'TLS',
    'a',
    '',
  ]);
});
