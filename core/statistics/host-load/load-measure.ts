import type { LoadFigureId, MeasuredLoad } from '../../protocol/host-load.ts';

/** What of a host's load is compared between Rounds. */
interface LoadMeasure {
  /** Added up; absent where any is. */
  of: readonly LoadFigureId[];
  /** As in "98 % of its processor was taken". */
  words: string;
  /** Rounds differ where no Round lies within so wide a gap. */
  gapRatio: number;
  /** Scenarios differ where their means do by so much. */
  differenceRatio: number;
}

/** How much of a host was no longer free matters to a latency, not how unusual that is; so the bounds are parts of the host. docs/statistics.md says how often they are met by chance. */
export const loadMeasures = {
  cpu: { of: ['busyRatio', 'stealRatio'], words: 'of its processor was taken', gapRatio: 0.25, differenceRatio: 0.1 },
  steal: { of: ['stealRatio'], words: 'of its processor went to other virtual machines', gapRatio: 0.1, differenceRatio: 0.05 },
  cpuPressure: { of: ['cpuPressureRatio'], words: 'of the time programs waited for its processor', gapRatio: 0.25, differenceRatio: 0.1 },
  memoryPressure: { of: ['memoryPressureRatio'], words: 'of the time programs waited for its memory', gapRatio: 0.1, differenceRatio: 0.05 },
  ioPressure: { of: ['ioPressureRatio'], words: 'of the time programs waited for its disks', gapRatio: 0.25, differenceRatio: 0.1 },
} as const satisfies Record<string, LoadMeasure>;
export type LoadMeasureId = keyof typeof loadMeasures;
export const loadMeasureIds = Object.keys(loadMeasures) as [LoadMeasureId, ...LoadMeasureId[]];

/** Null where the host does not show it. */
export function measureOf({ figures }: MeasuredLoad, id: LoadMeasureId): number | null {
  let sum = 0;
  for (const figure of loadMeasures[id].of) {
    const found = figures[figure];
    if (found.kind === 'absent') return null;
    sum += found.value;
  }
  return sum;
}
