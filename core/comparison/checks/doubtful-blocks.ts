import { z } from 'zod';
import type { RecordedRound, RecordedVisit } from '../../record/run-record.ts';

/** Starts that lie further apart are a tenth of the time that they are to share. */
const largestSkewPart = 0.1;

/** Blocks in which something happened that a reader may want to leave out, ascending. */
export const DoubtfulBlocksSchema = z.object({
  failed: z.array(z.number().int()),
  unsettled: z.array(z.number().int()),
  hidden: z.array(z.number().int()),
  /** The User Agents of a Round did not start together. */
  apart: z.array(z.number().int()),
});
export type DoubtfulBlocks = z.infer<typeof DoubtfulBlocksSchema>;

interface Recorded {
  rounds: readonly RecordedRound[];
  visits: readonly Pick<RecordedVisit, 'block' | 'isExcluded' | 'isFailed' | 'isHidden' | 'isUnsettled'>[];
}

/** `leastMeanMs`: the least mean latency of a Scenario, against which a start skew counts; null where there is none. */
export function findDoubtfulBlocks({ rounds, visits }: Recorded, leastMeanMs: number | null): DoubtfulBlocks {
  const counted = visits.filter(({ isExcluded }) => !isExcluded);
  const withVisits = (is: 'isFailed' | 'isHidden' | 'isUnsettled') => counted.filter((visit) => visit[is]);
  const apart = rounds.filter(
    ({ state, warmUp, firstRequestSkewMs, startSkewMs, pageSkewMs }) =>
      state === 'completed' &&
      !warmUp &&
      leastMeanMs !== null &&
      Math.max(firstRequestSkewMs ?? startSkewMs ?? 0, pageSkewMs ?? 0) > largestSkewPart * leastMeanMs,
  );
  return {
    failed: listBlocks(withVisits('isFailed')),
    unsettled: listBlocks(withVisits('isUnsettled')),
    hidden: listBlocks(withVisits('isHidden')),
    apart: listBlocks(apart),
  };
}

function listBlocks(found: readonly { block: number }[]): number[] {
  return [...new Set(found.map(({ block }) => block))].sort((a, b) => a - b);
}
