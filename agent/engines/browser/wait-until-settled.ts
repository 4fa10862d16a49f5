import { setTimeout as sleep } from 'node:timers/promises';
import { awaitedInVainMs } from '#core/metrics/settle-rule.ts';
import { unlessAborted } from '#core/unless-aborted.ts';
import type { PageRecorder } from './browser-page.ts';

const askAgainAfterMs = 100;

export interface SettleConditions {
  recorder: Pick<PageRecorder, 'isQuiet' | 'quietForMs' | 'nextActivity'>;
  quietMs: number;
  /** Asks the frames themselves whether they still load something. */
  isIdle: () => Promise<boolean>;
  signal: AbortSignal;
}

/**
 * Resolves when the page has settled: load fired, nothing in flight for `quietMs`, and every frame idle or waiting in vain. Network events alone
 * drive it, so that the page is not disturbed while it loads. Throws the signal's reason when aborted before.
 */
export async function waitUntilSettled({ recorder, quietMs, isIdle, signal }: SettleConditions): Promise<void> {
  while (true) {
    const restMs = quietMs - recorder.quietForMs;
    if (!recorder.isQuiet()) await unlessAborted(recorder.nextActivity, signal);
    else if (restMs > 0) await unlessAborted(sleep(restMs), signal);
    else if (recorder.quietForMs < quietMs + awaitedInVainMs && !(await unlessAborted(isIdle(), signal))) await unlessAborted(sleep(askAgainAfterMs), signal);
    else if (recorder.isQuiet() && recorder.quietForMs >= quietMs) return;
  }
}
