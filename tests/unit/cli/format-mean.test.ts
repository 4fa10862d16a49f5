import { expect, test } from 'vitest';
import { formatMean } from '#cli/comparison/format-figures.ts';

test.each([
  { mean: 412.4, halfWidth: 9.2, digits: 0, shown: '412 ± 9' },
  { mean: 24.44, halfWidth: 0.049, digits: 1, shown: '24.4 ± < 0.1' },
  { mean: 24.44, halfWidth: 0.05, digits: 1, shown: '24.4 ± 0.1' },
  { mean: 24, halfWidth: 0, digits: 1, shown: '24.0 ± 0.0' },
  { mean: 150, halfWidth: 0.4, digits: 0, shown: '150 ± < 1' },
  { mean: -0.3, halfWidth: 2, digits: 0, shown: '0 ± 2' },
  { mean: -4.26, halfWidth: 2, digits: 1, shown: '−4.3 ± 2.0' },
  { mean: 0.98765, halfWidth: null, digits: 3, shown: '0.988' },
])('a mean of $mean with a half-width of $halfWidth reads $shown', ({ mean, halfWidth, digits, shown }) => {
  expect(formatMean(mean, halfWidth, digits)).toBe(shown);
});
