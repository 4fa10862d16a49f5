import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** SQLSTATE classes and codes after which the same work may succeed. PostgreSQL 18, Appendix A. */
const transientStates = [
  /^08/, // connection exception
  /^40(001|P01)$/, // serialization failure, deadlock
  /^53300$/, // too many connections
  /^53100$/, // disk full: there may be room later
  /^57P0[123]$/, // admin shutdown, crash shutdown, cannot connect now
];
const transientSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

/** `pg` gives these errors no code. */
const transientMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed and is not queryable)/;

/** Whether an error came from a database that is away or busy for a while, so that the work is worth another try. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isTransient)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    transientSystemCodes.has(code) ||
    transientStates.some((state) => state.test(code)) ||
    transientMessages.test(error.message) ||
    isTransient(error.cause)
  );
}

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
