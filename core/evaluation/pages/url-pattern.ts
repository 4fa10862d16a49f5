/** One URL that a pattern stands for, with the value that each of its braces took, in order. */
export interface PatternMatch {
  url: string;
  values: string[];
}

const maximumCharacters = 65_536;
const maximumUrls = 2000;

/** The values of one pair of braces, and the text before it. */
interface Braces {
  head: string;
  count: number;
  /** Characters of the longest value. */
  longest: number;
  list: () => string[];
}

interface ParsedPattern {
  braces: Braces[];
  tail: string;
  size: PatternSize;
}

/** What a pattern stands for. */
export interface PatternSize {
  urls: number;
  /** Of the longest URL. */
  characters: number;
}

/**
 * Expands braces as a shell does: `{1..30}` counts (down too, zero-padded when an end is: `{01..10}`), `{5..30..5}` counts in
 * steps, `{a,b,c}` lists. Several braces give every combination, the last varying fastest. Other braces stand for themselves.
 * Throws, before it makes any URL, when a pattern stands for more than 2000, has more than 65,536 characters, or its step is 0.
 */
export function expandUrlPattern(pattern: string): PatternMatch[] {
  const { braces, tail } = parsePattern(pattern);
  return braces.reduceRight<PatternMatch[]>(
    (tails, { head, list }) =>
      list().flatMap((value) =>
        tails.map((rest) => ({ url: head + value + rest.url, values: [value, ...rest.values] })),
      ),
    [{ url: tail, values: [] }],
  );
}

/** What a pattern stands for, without making it. Throws as `expandUrlPattern` does. */
export function sizeUpUrlPattern(pattern: string): PatternSize {
  return parsePattern(pattern).size;
}

/** Reads the pattern once from left to right. */
function parsePattern(pattern: string): ParsedPattern {
  if (pattern.length > maximumCharacters) throw new Error(`must have at most ${maximumCharacters} characters`);
  const braces: Braces[] = [];
  let urls = 1;
  let characters = 0;
  let headStart = 0;
  let open = -1;
  for (let index = 0; index < pattern.length; index++) {
    if (pattern[index] === '{') open = index;
    if (pattern[index] !== '}' || open === -1) continue;
    const values = readBraces(pattern, pattern.slice(open + 1, index));
    if (values) {
      braces.push({ head: pattern.slice(headStart, open), ...values });
      urls *= values.count;
      characters += open - headStart + values.longest;
      if (urls > maximumUrls)
        throw new Error(`${shorten(pattern)} expands to more than ${maximumUrls} URLs: make its ranges smaller`);
      headStart = index + 1;
    }
    open = -1;
  }
  return {
    braces,
    tail: pattern.slice(headStart),
    size: { urls, characters: characters + pattern.length - headStart },
  };
}

/** Null: they stand for themselves. */
function readBraces(pattern: string, text: string): Pick<Braces, 'count' | 'longest' | 'list'> | null {
  const range = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/.exec(text);
  if (range) return readRange(pattern, { from: range[1]!, to: range[2]!, step: range[3] });
  if (!text.includes(',')) return null;
  const values = text.split(',');
  return {
    count: values.length,
    longest: values.reduce((most, { length }) => Math.max(most, length), 0),
    list: () => values,
  };
}

function readRange(
  pattern: string,
  range: { from: string; to: string; step: string | undefined },
): Pick<Braces, 'count' | 'longest' | 'list'> {
  // An id may have more digits than a double keeps.
  const from = BigInt(range.from);
  const to = BigInt(range.to);
  const step = magnitudeOf(BigInt(range.step ?? 1));
  if (step === 0n) throw new Error(`${shorten(pattern)} counts in steps of 0: write a step of 1 or more`);
  const count = Number(magnitudeOf(to - from) / step) + 1;

  const isPadded = [range.from, range.to].some((end) => /^-?0\d/.test(end));
  const longest = Math.max(range.from.length, range.to.length);
  const signedStep = to < from ? -step : step;
  return {
    count,
    longest,
    list: () =>
      Array.from({ length: count }, (_, index) => pad(from + signedStep * BigInt(index), isPadded ? longest : 0)),
  };
}

const magnitudeOf = (number: bigint) => (number < 0n ? -number : number);

/** The sign goes before the zeros. */
function pad(number: bigint, width: number): string {
  const sign = number < 0n ? '-' : '';
  return sign + String(magnitudeOf(number)).padStart(width - sign.length, '0');
}

function shorten(pattern: string): string {
  return pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern;
}
