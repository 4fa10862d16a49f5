import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after this time. Rejects with the signal's reason when aborted before. */
export async function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(durationMs, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
