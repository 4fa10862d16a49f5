const timerSlackMs = 20;

interface StartClock {
  epochClock: () => number;
  /** Rejects with the signal's reason when aborted. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  /** Resolves as soon as other work has had its turn. */
  takeTurns: () => Promise<void>;
  signal: AbortSignal;
}

/** Resolves at the instant, on this clock, or at once when it is past. Rejects when aborted. The last 20 ms are polled, as timers are coarse. */
export async function startAt(epochMs: number, { epochClock, sleep, takeTurns, signal }: StartClock): Promise<void> {
  await sleep(Math.max(0, epochMs - epochClock() - timerSlackMs), signal);
  while (epochClock() < epochMs) await takeTurns();
}
