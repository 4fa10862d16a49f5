import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isTransient } from './is-transient.ts';

const firstPauseMs = 50;
const longestPauseMs = 2000;

/**
 * Does the work again, after pauses that double up to 2 s, as long as it fails because the database is away or busy.
 * Throws every other error at once, the last one when `giveUp` is aborted, and the signal's reason when that is.
 * The work must be whole in itself: a transaction, or one statement that may be repeated.
 */
export async function retryTransient<T>(
  work: () => Promise<T>,
  { signal, log, giveUp }: { signal: AbortSignal; log: Logger; giveUp?: AbortSignal },
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || giveUp?.aborted) throw error;
      log[pauseMs === firstPauseMs ? 'warn' : 'debug']({ err: error }, 'The database does not answer; trying again');
    }
    await pause(pauseMs, undefined, { signal });
  }
}
