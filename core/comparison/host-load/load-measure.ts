import type { LoadFigureId, MeasuredLoad } from '../../protocol/host-load.ts';
import { percent } from '../findings/finding-words.ts';

/** What of a host's load is compared between Rounds. */
interface LoadMeasure {
  /** Added up; absent where any is. */
  of: readonly LoadFigureId[];
  /** Whether it is of all CPUs together, and is to be held against their number. */
  isPerCpu?: true;
  /** As in "98 % of the processor was taken". */
  show: (value: number) => string;
  words: string;
  /** Rounds differ where no Round lies within so wide a gap. */
  gapRatio: number;
  /** Scenarios differ where their means do by so much. */
  differenceRatio: number;
  /** A host is busy throughout where half of its Rounds are above this: the Agent and the browser then wait for each other and for others. */
  busyRatio: number;
}

const asPercent = (ratio: number) => `${percent(ratio)} %`;

/** How much of a host was no longer free matters to a latency, not how unusual that is; so the bounds are parts of the host. docs/statistics.md says how often they are met by chance. */
export const loadMeasures = {
  cpu: {
    of: ['busyRatio', 'stealRatio'],
    show: asPercent,
    words: 'of the processor was taken',
    gapRatio: 0.25,
    differenceRatio: 0.1,
    busyRatio: 0.9,
  },
  steal: {
    of: ['stealRatio'],
    show: asPercent,
    words: 'of the processor went to other virtual machines',
    gapRatio: 0.1,
    differenceRatio: 0.05,
    busyRatio: 0.1,
  },
  cpuPressure: {
    of: ['cpuPressureRatio'],
    show: asPercent,
    words: 'of the time programs waited for the processor',
    gapRatio: 0.25,
    differenceRatio: 0.1,
    busyRatio: 0.5,
  },
  memoryPressure: {
    of: ['memoryPressureRatio'],
    show: asPercent,
    words: 'of the time programs waited for the memory',
    gapRatio: 0.1,
    differenceRatio: 0.05,
    busyRatio: 0.1,
  },
  ioPressure: {
    of: ['ioPressureRatio'],
    show: asPercent,
    words: 'of the time programs waited for the disks',
    gapRatio: 0.25,
    differenceRatio: 0.1,
    busyRatio: 0.5,
  },
  // The only one that still rises where the processor is all taken; it follows over a minute, so that no step of it is sharp.
  load: {
    of: ['loadAverage'],
    isPerCpu: true,
    show: (value: number) => value.toFixed(1),
    words: 'programs ran or waited for each CPU (load average)',
    gapRatio: 1,
    differenceRatio: 0.5,
    busyRatio: 2,
  },
} satisfies Record<string, LoadMeasure>;
export type LoadMeasureId = keyof typeof loadMeasures;
export const loadMeasureIds = Object.keys(loadMeasures) as [LoadMeasureId, ...LoadMeasureId[]];

/** Null where the host does not show it. */
export function measureOf({ figures, cpuCount }: MeasuredLoad, id: LoadMeasureId): number | null {
  let sum = 0;
  const { of, isPerCpu }: LoadMeasure = loadMeasures[id];
  for (const figure of of) {
    const found = figures[figure];
    if (found.kind === 'absent') return null;
    sum += found.value;
  }
  return isPerCpu ? sum / cpuCount : sum;
}
