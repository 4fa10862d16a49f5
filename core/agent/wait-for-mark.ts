import { taskMarks } from '../evaluation/pages/page-mark.ts';

/** How much longer than its task a Visit takes at most; its metrics are those of the page's own clock. */
const askAgainAfterMs = 100;

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
