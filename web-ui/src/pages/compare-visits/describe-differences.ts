import type { WaterfallRow } from '#web-ui/src/waterfall/build-waterfall.ts';
import type { MatchedRow, RowDifference } from '#web-ui/src/waterfall/match-rows.ts';
import { formatCount } from '../../format/format-numbers.ts';

const words: Record<RowDifference, (first: WaterfallRow, second: WaterfallRow) => string> = {
  status: (first, second) => `status ${first.status ?? '—'} → ${second.status ?? '—'}`,
  failure: (first) => (first.failure === null ? 'second failed' : 'first failed'),
  cache: (first) => (first.fromCache ? 'first from the cache' : 'second from the cache'),
  protocol: (first, second) => `${first.protocol!} → ${second.protocol!}`,
  size: () => 'size',
};

/** In what two requests for the same object differ, in words. */
function listWords({ first, second, differences }: MatchedRow): string[] {
  return first && second ? differences.map((difference) => words[difference](first, second)) : [];
}

/** Fewer pairs have nothing in common that is worth a sentence. */
const leastPairs = 2;

/** The differences that all pairs have alike, such as the HTTP version that is compared: said once, and not again in each row. */
export function findCommonDifferences(rows: readonly MatchedRow[]): ReadonlySet<string> {
  const pairs = rows.filter(({ first, second }) => first && second).map(listWords);
  if (pairs.length < leastPairs) return new Set();
  return new Set(pairs[0]!.filter((each) => pairs.every((own) => own.includes(each))));
}

/** What a row differs in beside that. `names`: of both Visits. */
export function describeRow(
  row: MatchedRow,
  { common, names }: { common: ReadonlySet<string>; names: readonly [string, string] },
): string {
  if (!row.first || !row.second) return `only ${names[row.first ? 0 : 1]}`;
  return listWords(row)
    .filter((each) => !common.has(each))
    .join('; ');
}

/** Whether a row is one to look at: it is in one Visit only, or differs in more than all do. */
export function isDiffering(row: MatchedRow, common: ReadonlySet<string>): boolean {
  return !row.first || !row.second || listWords(row).some((each) => !common.has(each));
}

/** Whether one of the two did not get what the other got. */
export function hasLost({ differences }: MatchedRow): boolean {
  return differences.includes('failure') || differences.includes('status');
}

/** `26 requests, the same in both; all 26: http/1.1 → h2`. */
export function describeRows(rows: readonly MatchedRow[], common: ReadonlySet<string>): string {
  const pairs = rows.filter(({ first, second }) => first && second);
  const alone = rows.length - pairs.length;
  const differing = pairs.filter((row) => isDiffering(row, common)).length;
  const counts = [
    formatCount(rows.length, 'request'),
    alone === 0 ? 'the same in both' : `${alone} in one Visit only`,
    ...(differing > 0 ? [`${differing} with another status, size or protocol`] : []),
  ].join(', ');
  if (common.size === 0) return counts;
  return `${counts}; ${alone === 0 ? 'all' : 'the other'} ${pairs.length}: ${[...common].join(', ')}`;
}
