import { percent, showConfidence } from '#core/comparison/findings/finding-words.ts';
import * as reductionWords from '#core/comparison/findings/reduction-words.ts';
import { formatNumber } from './format-numbers.ts';

/** A ratio as a percentage, rounded as sentences do: 0.273 is `27 %`, −0.0123 is `−1.2 %`, and what is not all is never `100 %`. */
export function formatPercent(ratio: number): string {
  return keepTogether(`${ratio < 0 ? '−' : ''}${percent(Math.abs(ratio))} %`);
}

/** The confidence of an interval as a percentage: `95 %`, `99.5 %`. */
export function formatConfidence(confidence: number): string {
  return keepTogether(showConfidence(confidence));
}

/** A reduction and its interval, in the words of sentences: `27 % less` and `24 to 30 %`, or `14 × as much` and `12 to 16 ×`. */
export function describeReduction(reduction: reductionWords.BoundedReduction): { shown: string; range: string } {
  const { shown, range } = reductionWords.describeReduction(reduction);
  return { shown: keepTogether(shown), range: keepTogether(range) };
}

/** Both in one text: `27 % less (24 to 30 %)`. */
export function formatReduction(reduction: reductionWords.BoundedReduction): string {
  return keepTogether(reductionWords.formatReduction(reduction));
}

/** The p of a test. */
export function formatP(p: number): string {
  return p < 0.001 ? '< 0.001' : formatNumber(p, 3);
}

/** No line breaks between a number and its sign. */
function keepTogether(text: string): string {
  return text.replaceAll(/ (?=[%×])/g, '\u00A0');
}
