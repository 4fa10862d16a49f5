import { setImmediate } from 'node:timers/promises';
import { epochClock } from '../epoch-clock.ts';

const timerSlackMs = 20;

/** Resolves at the instant (this host's clock), or at once when it is past. Rejects when aborted. The last 20 ms are polled: timers are coarse. */
export async function startAt(epochMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  const timer = setTimeout(resolve, Math.max(0, epochMs - epochClock() - timerSlackMs));
  try {
    signal.throwIfAborted();
    await promise;
    while (epochClock() < epochMs) await setImmediate();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
