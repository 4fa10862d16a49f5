import type { CountedVisit } from './counted-visit.ts';

export interface VisitCounts {
  visits: number;
  failedVisits: number;
  timedOutVisits: number;
  absentVisits: number;
  excludedVisits: number;
  lossyVisits: number;
  leftOutVisits: number;
}

/** One (Scenario × User Agent × URL). */
export interface CellData {
  scenario: string;
  userAgent: string;
  url: string;
  /** A number for each (User Agent × URL), the same under all Scenarios. */
  page: number;
  counts: VisitCounts;
  /** Of every Visit that has one, in the order of the Visits. */
  values: number[];
  /** The mean over the Visits of each Round, by the index of its Block; NaN where there is none. */
  byBlock: Float64Array;
}

export interface GatheredCells {
  /** Ascending; the index of a Block here is that in `byBlock`. */
  blocks: number[];
  /** In the order of execution, by the index of the Block. */
  rounds: { scenario: string; block: number }[];
  cells: CellData[];
}

/** Sorts Visits, in the order of execution, into cells by one of their values, null where a Visit has none. In one pass and without copies: a Run may have a million. */
export function gatherCells<Visit extends CountedVisit>(
  visits: readonly Visit[],
  valueOf: (visit: Visit) => number | null,
): GatheredCells {
  const seen = new Set<number>();
  for (const { block } of visits) seen.add(block);
  const blocks = [...seen].sort((a, b) => a - b);
  const indexOf = new Map(blocks.map((block, index) => [block, index]));
  const rounds: GatheredCells['rounds'] = [];
  let last: CountedVisit | null = null;
  const byScenario = new Map<string, Map<string, Map<string, OpenCell>>>();
  const pages = new Map<string, Map<string, number>>();
  let pageCount = 0;
  for (const visit of visits) {
    const value = valueOf(visit);
    const index = indexOf.get(visit.block)!;
    if (visit.block !== last?.block || visit.scenario !== last.scenario)
      rounds.push({ scenario: visit.scenario, block: index });
    last = visit;
    const byUserAgent = getOrMake(byScenario, visit.scenario, () => new Map<string, Map<string, OpenCell>>());
    const byUrl = getOrMake(byUserAgent, visit.userAgent, () => new Map<string, OpenCell>());
    const cell = getOrMake(byUrl, visit.url, () => {
      const ofUser = getOrMake(pages, visit.userAgent, () => new Map<string, number>());
      return openCell(visit, { page: getOrMake(ofUser, visit.url, () => pageCount++), blockCount: blocks.length });
    });
    count(cell.counts, visit, value);
    if (value === null || visit.isExcluded) continue;
    const before = cell.valuesInBlock[index]!++;
    const mean = cell.byBlock[index]!;
    cell.byBlock[index] = before === 0 ? value : mean + (value - mean) / (before + 1);
    cell.values.push(value);
  }
  const cells = [...byScenario.values()].flatMap((byUserAgent) =>
    [...byUserAgent.values()].flatMap((byUrl) => [...byUrl.values()]),
  );
  return { blocks, rounds, cells };
}

type OpenCell = CellData & { valuesInBlock: Uint32Array };

export function zeroCounts(): VisitCounts {
  return {
    visits: 0,
    failedVisits: 0,
    timedOutVisits: 0,
    absentVisits: 0,
    excludedVisits: 0,
    lossyVisits: 0,
    leftOutVisits: 0,
  };
}

function openCell(
  { scenario, userAgent, url }: CountedVisit,
  { page, blockCount }: { page: number; blockCount: number },
): OpenCell {
  const counts = zeroCounts();
  return {
    scenario,
    userAgent,
    url,
    page,
    counts,
    values: [],
    byBlock: new Float64Array(blockCount).fill(NaN),
    valuesInBlock: new Uint32Array(blockCount),
  };
}

function count(
  counts: VisitCounts,
  { isExcluded, isFailed, isTimedOut, lostObjects = 0, isLeftOut = false }: CountedVisit,
  value: number | null,
): void {
  if (isExcluded) {
    counts.excludedVisits++;
    return;
  }
  counts.visits++;
  if (lostObjects > 0) counts.lossyVisits++;
  if (isFailed) counts.failedVisits++;
  else if (isLeftOut) counts.leftOutVisits++;
  else if (value === null) counts.absentVisits++;
  if (isTimedOut) counts.timedOutVisits++;
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
