import type { WaterfallRow } from './build-waterfall.ts';

/** What differs between two requests for the same object; a request that one Visit alone has is no pair. */
export type RowDifference = 'status' | 'failure' | 'cache' | 'protocol' | 'size';

export interface MatchedRow {
  /** Unique in the list. */
  key: string;
  first: WaterfallRow | null;
  second: WaterfallRow | null;
  /** Empty where one of them is null. */
  differences: RowDifference[];
}

/** A size differs by more than this share and these bytes: heads differ a little in each load. */
const sizeRatio = 0.1;
const sizeBytes = 500;

/**
 * The requests of two Visits of a page side by side, in the order in which they started in either Visit. Requests match by their address; those that are left
 * match by path and query, as a page may come from another origin in another Scenario. Repeated requests match in their order.
 */
export function matchRows(first: readonly WaterfallRow[], second: readonly WaterfallRow[]): MatchedRow[] {
  const partners = new Map<WaterfallRow, WaterfallRow>();
  const taken = new Set<WaterfallRow>();
  for (const nameOf of [({ url }: WaterfallRow) => url, pathOf]) {
    const open = Map.groupBy(
      second.filter((row) => !taken.has(row)),
      nameOf,
    );
    for (const row of first) {
      if (partners.has(row)) continue;
      const partner = open.get(nameOf(row))?.shift();
      if (!partner) continue;
      partners.set(row, partner);
      taken.add(partner);
    }
  }
  const matched = [
    ...first.map((row) => pair(row, partners.get(row) ?? null)),
    ...second.filter((row) => !taken.has(row)).map((row) => pair(null, row)),
  ];
  return matched.sort((one, other) => startOf(one) - startOf(other));
}

function pair(first: WaterfallRow | null, second: WaterfallRow | null): MatchedRow {
  return {
    key: `${first?.key ?? ''}|${second?.key ?? ''}`,
    first,
    second,
    differences: first && second ? listDifferences(first, second) : [],
  };
}

function startOf({ first, second }: MatchedRow): number {
  return Math.min(first?.startMs ?? Infinity, second?.startMs ?? Infinity);
}

function listDifferences(first: WaterfallRow, second: WaterfallRow): RowDifference[] {
  return [
    ...(first.status === second.status ? [] : (['status'] as const)),
    ...((first.failure === null) === (second.failure === null) ? [] : (['failure'] as const)),
    ...(first.fromCache === second.fromCache ? [] : (['cache'] as const)),
    ...(first.protocol === second.protocol || first.protocol === null || second.protocol === null
      ? []
      : (['protocol'] as const)),
    ...(differInSize(first, second) ? (['size'] as const) : []),
  ];
}

function differInSize({ receivedBytes: one }: WaterfallRow, { receivedBytes: other }: WaterfallRow): boolean {
  if (one === null || other === null) return false;
  const difference = Math.abs(one - other);
  return difference > sizeBytes && difference > sizeRatio * Math.max(one, other);
}

function pathOf({ url }: WaterfallRow): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
