import type { RunDetail } from './run.ts';
import type { RunSummary } from './run-summary.ts';

/** How long a Run has taken by now, or took, without its pauses; null before it has started. */
export function measuringMs(
  { startedAt, endedAt, pausedAt, pausedMs }: Pick<RunSummary, 'startedAt' | 'endedAt' | 'pausedAt' | 'pausedMs'>,
  nowEpochMs: number,
): number | null {
  if (startedAt === null) return null;
  const until = endedAt ?? pausedAt;
  return Math.max(0, (until === null ? nowEpochMs : Date.parse(until)) - Date.parse(startedAt) - pausedMs);
}

/**
 * Milliseconds that a Run still takes when its remaining Rounds last as long as those before them; null before the first has ended. The Round under way counts by
 * its Visits: without that, the time left would rise until the Round ends. Its start counts as one Visit more.
 */
export function estimateTimeLeftMs(
  {
    roundsCompleted,
    roundsPlanned,
    rounds,
  }: Pick<RunDetail, 'roundsCompleted' | 'roundsPlanned'> & {
    rounds: readonly {
      state: RunDetail['rounds'][number]['state'];
      passes: readonly { visitsMade: number; visitsExpected: number }[];
    }[];
  },
  elapsedMs: number,
): number | null {
  if (roundsCompleted === 0) return null;
  const passes = rounds.filter(({ state }) => state === 'running').flatMap((round) => round.passes);
  const made = passes.reduce((sum, { visitsMade }) => sum + visitsMade, 0);
  const expected = passes.reduce((sum, { visitsExpected }) => sum + visitsExpected, 0);
  const done = roundsCompleted + (expected === 0 ? 0 : (made + 1) / (expected + 1));
  return (elapsedMs / done) * Math.max(0, roundsPlanned - done);
}
