import { findStoredCaptures } from '../db/captures/captures.ts';
import type { RunContext } from './run-context.ts';
import { UploadWatch } from './upload-watch.ts';

const limitMs = 60_000;

/** A Capture that an Agent has made. `of`: its User Agent or Capture Point. */
export interface AwaitedCapture {
  id: string;
  of: string;
  agent: string;
}

/**
 * Waits for the Captures of a Round, so that their upload does not fall into the next Round. A Round is complete without them: what does
 * not come in a minute may come after a later Round, or when its Agent connects again.
 */
export async function collectCaptures(context: RunContext, captures: readonly AwaitedCapture[]): Promise<void> {
  const { hub, store, signal, log, time } = context;
  const deadlineMs = time.clock() + limitMs;
  using uploads = new UploadWatch(context);
  for (;;) {
    signal.throwIfAborted();
    const stored = await store((db) =>
      findStoredCaptures(
        db,
        captures.map(({ id }) => id),
      ),
    );
    const missing = captures.filter(({ id }) => !stored.has(id));
    if (missing.length === 0) return;
    if (time.clock() > deadlineMs) {
      log.warn(
        `The Captures of ${missing.map((capture) => capture.of).join(', ')} did not arrive within ${limitMs / 1000} s: the Run continues without them`,
      );
      return;
    }
    for (const agent of new Set(missing.map((capture) => capture.agent))) hub.send(agent, { type: 'upload-visits' });
    await uploads.next();
  }
}
