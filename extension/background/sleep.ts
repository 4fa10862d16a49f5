import { unlessAborted } from '#core/unless-aborted.ts';

/** Resolves after this time; rejects with the signal's reason when aborted before. */
export function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  return unlessAborted(new Promise((resolve) => setTimeout(resolve, durationMs)), signal);
}
