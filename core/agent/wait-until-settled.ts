import { taskMarks } from '../evaluation/pages/page-mark.ts';
import { awaitedInVainMs } from '../metrics/settle-rule.ts';
import { unlessAborted } from '../waiting.ts';

const askAgainAfterMs = 100;
const missEventAfterMs = 500;

/** What the browser reports of a page while it loads. */
export interface SettlingPage {
  /** Whether the page's load event has fired and nothing that settling waits for is in flight. */
  isQuiet(): boolean;
  readonly quietForMs: number;
  /** Resolves with the next change of what settling waits for. */
  readonly nextActivity: Promise<unknown>;
}

export interface SettleConditions {
  recorder: SettlingPage;
  quietMs: number;
  /** Asks the frames themselves whether they still load something. */
  isIdle: () => Promise<boolean>;
  /** Of a browser that leaves out events: looks for those that it has not reported. Called while nothing has happened for 500 ms. */
  findMissedEvents?: () => Promise<void>;
  /** Rejects with the signal's reason when aborted. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

/**
 * Resolves when the page has settled, which ends its total latency: load fired, nothing in flight for `quietMs`, and every frame idle or waiting in
 * vain. Events of the browser drive it, so that the page is not disturbed while it loads. Throws the signal's reason when aborted before.
 */
export async function waitUntilSettled(conditions: SettleConditions): Promise<void> {
  const { recorder, quietMs, isIdle, sleep, signal } = conditions;
  while (true) {
    const restMs = quietMs - recorder.quietForMs;
    if (!recorder.isQuiet()) await awaitActivity(conditions);
    else if (restMs > 0) await sleep(restMs, signal);
    else if (
      recorder.quietForMs < quietMs + awaitedInVainMs &&
      !(await unlessAborted(Promise.race([hasBegunAgain(recorder), isIdle()]), signal))
    )
      await sleep(askAgainAfterMs, signal);
    else if (recorder.isQuiet() && recorder.quietForMs >= quietMs) return;
  }
}

/** A document that is replaced while it is asked may never answer, as in Firefox. What it answered would be out of date. */
async function hasBegunAgain({ nextActivity }: SettlingPage): Promise<false> {
  await nextActivity;
  return false;
}

async function awaitActivity({ recorder, findMissedEvents, sleep, signal }: SettleConditions): Promise<void> {
  if (!findMissedEvents) {
    await unlessAborted(recorder.nextActivity, signal);
    return;
  }
  await Promise.race([unlessAborted(recorder.nextActivity, signal), sleep(missEventAfterMs, signal)]);
  if (recorder.quietForMs >= missEventAfterMs)
    await unlessAborted(Promise.race([recorder.nextActivity, findMissedEvents()]), signal);
}

interface MarkConditions {
  /** Nothing is waited for where it is left out. */
  untilMark: string | undefined;
  hasMark: (names: readonly string[]) => Promise<boolean>;
  /** Whether there is no page that could set it. */
  hasFailed: () => boolean;
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
  signal: AbortSignal;
}

/** Resolves when the page has set the mark that a Visit waits for, or the one that reports a failure, and when the page has failed. Throws the signal's reason when aborted before. */
export async function waitForMark({ untilMark, hasMark, hasFailed, sleep, signal }: MarkConditions): Promise<void> {
  if (untilMark === undefined) return;
  while (!hasFailed() && !(await hasMark([untilMark, taskMarks.failed]))) await sleep(askAgainAfterMs, signal);
}
