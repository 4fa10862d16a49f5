import type { RunSummary } from './run.ts';

/** How long a Run has taken by now, or took, without its pauses; null before it has started. */
export function measuringMs(
  { startedAt, endedAt, pausedAt, pausedMs }: Pick<RunSummary, 'startedAt' | 'endedAt' | 'pausedAt' | 'pausedMs'>,
  nowEpochMs: number,
): number | null {
  if (startedAt === null) return null;
  const until = endedAt ?? pausedAt;
  return Math.max(0, (until === null ? nowEpochMs : Date.parse(until)) - Date.parse(startedAt) - pausedMs);
}

/** Milliseconds that a Run still takes when its remaining Rounds last as long as those before them; null before the first has ended. */
export function estimateTimeLeftMs({
  elapsedMs,
  roundsCompleted,
  roundsPlanned,
}: {
  elapsedMs: number;
  roundsCompleted: number;
  roundsPlanned: number;
}): number | null {
  return roundsCompleted === 0 ? null : (elapsedMs / roundsCompleted) * Math.max(0, roundsPlanned - roundsCompleted);
}
