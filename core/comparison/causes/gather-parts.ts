import { causeIds } from '../../causes/causes.ts';
import type { LatencyId } from '../../metrics/index.ts';
import type { RecordedVisit } from '../../record/run-record.ts';
import { getOrMake } from '../cells/gather-cells.ts';

/** The causes of one page of one User Agent under one Scenario. */
export interface PartsCell {
  scenario: string;
  userAgent: string;
  url: string;
  /** Of each cause, the mean over the Visits of each Round, by the index of its Block; NaN where there is none. */
  byBlock: readonly Float64Array[];
}

type OpenCell = PartsCell & { visits: Uint32Array };

/** Sorts the Visits that have this latency into cells, as `gatherCells` does, with all causes in one pass. */
export function gatherParts(
  visits: readonly RecordedVisit[],
  metric: LatencyId,
): { blocks: number[]; cells: PartsCell[]; visitsWithout: number } {
  const blocks = [...new Set(visits.map(({ block }) => block))].sort((a, b) => a - b);
  const indexOf = new Map(blocks.map((block, index) => [block, index]));
  const cells = new Map<string, Map<string, Map<string, OpenCell>>>();
  let visitsWithout = 0;
  for (const { latencies, isExcluded, isFailed, causes, block, scenario, userAgent, url } of visits) {
    if (latencies[metric] === null || isExcluded || isFailed) continue;
    if (!causes) {
      visitsWithout++;
      continue;
    }
    const byUserAgent = getOrMake(cells, scenario, () => new Map<string, Map<string, OpenCell>>());
    const byUrl = getOrMake(byUserAgent, userAgent, () => new Map<string, OpenCell>());
    const cell = getOrMake(byUrl, url, () => openCell({ scenario, userAgent, url }, blocks.length));
    const index = indexOf.get(block)!;
    const before = cell.visits[index]!++;
    for (let cause = 0; cause < causeIds.length; cause++) {
      const means = cell.byBlock[cause]!;
      means[index] = before === 0 ? causes[cause]! : means[index]! + (causes[cause]! - means[index]!) / (before + 1);
    }
  }
  const listed = [...cells.values()].flatMap((byUser) => [...byUser.values()].flatMap((byUrl) => [...byUrl.values()]));
  return { blocks, cells: listed, visitsWithout };
}

function openCell(of: Pick<PartsCell, 'scenario' | 'userAgent' | 'url'>, blockCount: number): OpenCell {
  return {
    ...of,
    byBlock: causeIds.map(() => new Float64Array(blockCount).fill(NaN)),
    visits: new Uint32Array(blockCount),
  };
}
