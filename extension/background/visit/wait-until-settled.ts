import { awaitedInVainMs } from '#core/metrics/settle-rule.ts';
import { unlessAborted } from '#core/unless-aborted.ts';
import { sleep } from '../sleep.ts';
import type { NetworkRecorder } from './network-recorder.ts';

const askAgainAfterMs = 100;
const missEventAfterMs = 500;

export interface SettleConditions {
  recorder: NetworkRecorder;
  quietMs: number;
  /** Asks the frames themselves whether they still load something. */
  isIdle: () => Promise<boolean>;
  /** Asks the page itself whether its load event has fired. */
  hasLoaded: () => Promise<boolean>;
  signal: AbortSignal;
}

/**
 * Resolves when the page has settled: load fired, nothing in flight for `quietMs`, and every frame idle or waiting in vain. Events of the
 * browser drive it, so that the page is not disturbed while it loads. Throws the signal's reason when aborted before.
 */
export async function waitUntilSettled({ recorder, quietMs, isIdle, hasLoaded, signal }: SettleConditions): Promise<void> {
  while (true) {
    const restMs = quietMs - recorder.quietForMs;
    if (!recorder.isQuiet()) {
      await Promise.race([unlessAborted(recorder.nextActivity, signal), sleep(missEventAfterMs, signal)]);
      // Firefox leaves out the word that a page has loaded now and then, and for the first page mostly.
      if (recorder.isLoadAwaited() && recorder.quietForMs >= missEventAfterMs && (await unlessAborted(hasLoaded(), signal))) recorder.noteLoaded();
    } else if (restMs > 0) await sleep(restMs, signal);
    else if (recorder.quietForMs < quietMs + awaitedInVainMs && !(await unlessAborted(isIdle(), signal))) await sleep(askAgainAfterMs, signal);
    else if (recorder.isQuiet() && recorder.quietForMs >= quietMs) return;
  }
}
