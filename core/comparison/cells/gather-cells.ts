import { latencyIds, type LatencyId } from '../../metrics/index.ts';
import type { CountedVisit } from './counted-visit.ts';

/** A Visit with its three latencies; null where absent. */
export interface VisitLatencies extends CountedVisit {
  latencies: Record<LatencyId, number | null>;
}

export interface VisitCounts {
  visits: number;
  failedVisits: number;
  timedOutVisits: number;
  absentVisits: number;
  excludedVisits: number;
  lossyVisits: number;
  leftOutVisits: number;
  /** Of the absent ones, those whose page was not seen to finish, as far as that is known. */
  unfinishedVisits: number;
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
  values: Float64Array;
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

/** Sorts Visits, in the order of execution, into cells by one of their values, null where a Visit has none. */
export function gatherCells<Visit extends CountedVisit>(
  visits: readonly Visit[],
  valueOf: (visit: Visit) => number | null,
): GatheredCells {
  return gatherEach(visits, [valueOf])[0]!;
}

/** The cells of each latency. */
export function gatherLatencies(visits: readonly VisitLatencies[]): Record<LatencyId, GatheredCells> {
  const gathered = gatherEach(
    visits,
    latencyIds.map(
      (metric) =>
        ({ latencies }: VisitLatencies) =>
          latencies[metric],
    ),
  );
  return Object.fromEntries(latencyIds.map((metric, index) => [metric, gathered[index]!])) as Record<
    LatencyId,
    GatheredCells
  >;
}

/** The cells of each of their values. */
function gatherEach<Visit extends CountedVisit>(
  visits: readonly Visit[],
  valuesOf: readonly ((visit: Visit) => number | null)[],
): GatheredCells[] {
  const placed = placeVisits(visits);
  return valuesOf.map((valueOf) => fillCells(visits, placed, valueOf));
}

type Placed = Pick<GatheredCells, 'blocks' | 'rounds'> & {
  cells: (Pick<CellData, 'scenario' | 'userAgent' | 'url' | 'page'> & { visits: number })[];
  /** The places of `cells` in the order of Scenarios, in them of User Agents, and of these of URLs, as they were first seen. */
  inOrder: number[];
  /** Of each Visit: the place of its cell, and the index of its Block. */
  cellOf: Uint32Array;
  blockOf: Uint32Array;
};

function placeVisits(visits: readonly CountedVisit[]): Placed {
  const seen = new Set<number>();
  for (const { block } of visits) seen.add(block);
  const blocks = [...seen].sort((a, b) => a - b);
  const indexOf = new Map(blocks.map((block, index) => [block, index]));
  const placed: Omit<Placed, 'inOrder'> = {
    blocks,
    rounds: [],
    cells: [],
    cellOf: new Uint32Array(visits.length),
    blockOf: new Uint32Array(visits.length),
  };
  const { rounds, cells, cellOf, blockOf } = placed;
  const byScenario = new Map<string, Map<string, Map<string, number>>>();
  const pages = new Map<string, Map<string, number>>();
  let pageCount = 0;
  let last: CountedVisit | null = null;
  let byUrl = new Map<string, number>();
  let index = 0;
  for (const [place, visit] of visits.entries()) {
    const { block, scenario, userAgent, url } = visit;
    const isSameScenario = scenario === last?.scenario;
    if (!isSameScenario || block !== last?.block) {
      index = indexOf.get(block)!;
      rounds.push({ scenario, block: index });
    }
    if (!isSameScenario || userAgent !== last?.userAgent) {
      const byUserAgent = getOrMake(byScenario, scenario, () => new Map<string, Map<string, number>>());
      byUrl = getOrMake(byUserAgent, userAgent, () => new Map<string, number>());
    }
    last = visit;
    let cell = byUrl.get(url);
    if (cell === undefined) {
      byUrl.set(url, (cell = cells.length));
      const ofUser = getOrMake(pages, userAgent, () => new Map<string, number>());
      cells.push({ scenario, userAgent, url, page: getOrMake(ofUser, url, () => pageCount++), visits: 0 });
    }
    cells[cell]!.visits++;
    cellOf[place] = cell;
    blockOf[place] = index;
  }
  const inOrder = [...byScenario.values()].flatMap((byUser) =>
    [...byUser.values()].flatMap((ofUser) => [...ofUser.values()]),
  );
  return { ...placed, inOrder };
}

/** The numbers of all cells are in one array: a Run of a million Visits has ten thousand cells, which do not fit in the cache one by one. */
function fillCells<Visit extends CountedVisit>(
  visits: readonly Visit[],
  { blocks, rounds, cells, inOrder, cellOf, blockOf }: Placed,
  valueOf: (visit: Visit) => number | null,
): GatheredCells {
  const means = new Float64Array(cells.length * blocks.length).fill(NaN);
  const valuesInBlock = new Uint32Array(means.length);
  const values = new Float64Array(visits.length);
  const ends = new Uint32Array(cells.length);
  for (let cell = 1; cell < cells.length; cell++) ends[cell] = ends[cell - 1]! + cells[cell - 1]!.visits;
  const starts = ends.slice();
  const counts = cells.map(zeroCounts);
  for (const [place, visit] of visits.entries()) {
    const cell = cellOf[place]!;
    const value = valueOf(visit);
    count(counts[cell]!, visit, value);
    if (value === null || visit.isExcluded) continue;
    const index = cell * blocks.length + blockOf[place]!;
    const before = valuesInBlock[index]!++;
    const mean = means[index]!;
    means[index] = before === 0 ? value : mean + (value - mean) / (before + 1);
    values[ends[cell]!++] = value;
  }
  return {
    blocks,
    rounds,
    cells: inOrder.map((cell) => {
      const { scenario, userAgent, url, page } = cells[cell]!;
      return {
        scenario,
        userAgent,
        url,
        page,
        counts: counts[cell]!,
        values: values.subarray(starts[cell], ends[cell]),
        byBlock: means.subarray(cell * blocks.length, (cell + 1) * blocks.length),
      };
    }),
  };
}

export function zeroCounts(): VisitCounts {
  return {
    visits: 0,
    failedVisits: 0,
    timedOutVisits: 0,
    absentVisits: 0,
    excludedVisits: 0,
    lossyVisits: 0,
    leftOutVisits: 0,
    unfinishedVisits: 0,
  };
}

function count(
  counts: VisitCounts,
  { isExcluded, isFailed, isTimedOut, lostObjects = 0, isLeftOut = false, absences }: CountedVisit,
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
  else if (value === null) {
    counts.absentVisits++;
    if ((absences?.totalMs ?? 'not-reached') === 'not-reached') counts.unfinishedVisits++;
  }
  if (isTimedOut) counts.timedOutVisits++;
}

export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
