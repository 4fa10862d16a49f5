/** One URL that a pattern stands for, with the value that each of its braces took, in order. */
export interface PatternMatch {
  url: string;
  values: string[];
}

const maximumUrls = 2000;

/**
 * Expands braces as a shell does: `{1..30}` counts (down too, zero-padded when an end is: `{01..10}`), `{5..30..5}` counts in
 * steps, `{a,b,c}` lists. Several braces give every combination, the last varying fastest. Other braces stand for themselves.
 * Throws when a pattern stands for more than 2000 URLs or its step is 0.
 */
export function expandUrlPattern(pattern: string): PatternMatch[] {
  const match = /\{(?:(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?|([^{}]*,[^{}]*))\}/.exec(pattern);
  if (!match) return [{ url: pattern, values: [] }];

  const [whole, from, to, step, list] = match;
  const head = pattern.slice(0, match.index);
  const values = list !== undefined ? list.split(',') : count(pattern, { from: from!, to: to!, step });
  const tails = expandUrlPattern(pattern.slice(match.index + whole.length));
  if (values.length * tails.length > maximumUrls) {
    throw new Error(`${pattern} stands for more than ${maximumUrls} URLs: make its ranges smaller`);
  }
  return values.flatMap((value) => tails.map((tail) => ({ url: head + value + tail.url, values: [value, ...tail.values] })));
}

function count(pattern: string, range: { from: string; to: string; step: string | undefined }): string[] {
  const from = Number(range.from);
  const to = Number(range.to);
  const step = Math.abs(Number(range.step ?? 1));
  if (step === 0) throw new Error(`${pattern} counts in steps of 0: write a step of 1 or more`);
  const length = Math.floor(Math.abs(to - from) / step) + 1;
  if (length > maximumUrls) throw new Error(`${pattern} stands for more than ${maximumUrls} URLs: make its ranges smaller`);

  const isPadded = [range.from, range.to].some((end) => /^-?0\d/.test(end));
  const width = isPadded ? Math.max(range.from.length, range.to.length) : 0;
  const sign = to < from ? -1 : 1;
  return Array.from({ length }, (_, index) => String(from + sign * index * step).padStart(width, '0'));
}
