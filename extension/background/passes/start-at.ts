import { epochClock } from '../epoch-clock.ts';
import { sleep } from '../sleep.ts';

const timerSlackMs = 20;

/** Resolves at the instant (this browser's clock), or at once when it is past. The last 20 ms are polled: timers are coarse. */
export async function startAt(epochMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, epochMs - epochClock() - timerSlackMs), signal);
  while (epochClock() < epochMs) await sleep(0, signal);
}
