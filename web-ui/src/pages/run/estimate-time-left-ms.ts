interface Progress {
  startedEpochMs: number;
  /** Now, or when it was paused. */
  untilEpochMs: number;
  /** Between the two, in pauses that are over. */
  pausedMs: number;
  roundsCompleted: number;
  roundsPlanned: number;
}

/** Milliseconds that a Run still takes when its remaining Rounds last as long as those before them; null before the first has ended. */
export function estimateTimeLeftMs({ startedEpochMs, untilEpochMs, pausedMs, roundsCompleted, roundsPlanned }: Progress): number | null {
  if (roundsCompleted === 0) return null;
  const perRoundMs = Math.max(0, untilEpochMs - startedEpochMs - pausedMs) / roundsCompleted;
  return perRoundMs * Math.max(0, roundsPlanned - roundsCompleted);
}
