interface Progress {
  startedEpochMs: number;
  nowEpochMs: number;
  roundsCompleted: number;
  roundsPlanned: number;
}

/** Milliseconds that a Run still takes when its remaining Rounds last as long as those before them; null before the first has ended. */
export function estimateTimeLeftMs({ startedEpochMs, nowEpochMs, roundsCompleted, roundsPlanned }: Progress): number | null {
  if (roundsCompleted === 0) return null;
  const perRoundMs = Math.max(0, nowEpochMs - startedEpochMs) / roundsCompleted;
  return perRoundMs * Math.max(0, roundsPlanned - roundsCompleted);
}
