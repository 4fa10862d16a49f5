import { findCapturedPasses } from '../db/captures.ts';
import { nextUpload } from './next-upload.ts';
import type { RunContext } from './run-context.ts';

const limitMs = 60_000;

/**
 * Waits for the Captures of these Passes, so that their upload does not fall into the next Round. A Round is complete without them: what does
 * not come in a minute may come after a later Round, or when its Agent connects again.
 */
export async function collectCaptures(context: RunContext, passes: readonly { id: string; userAgent: string; agent: string }[]): Promise<void> {
  const { hub, store, signal, log } = context;
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    const stored = await store((db) => findCapturedPasses(db, passes.map(({ id }) => id)));
    const missing = passes.filter(({ id }) => !stored.has(id));
    if (missing.length === 0) return;
    if (performance.now() > deadlineMs) {
      log.warn(`The Captures of ${missing.map(({ userAgent }) => userAgent).join(', ')} did not arrive within ${limitMs / 1000} s: the Run goes on without them`);
      return;
    }
    for (const agent of new Set(missing.map((pass) => pass.agent))) hub.send(agent, { type: 'upload-visits' });
    await nextUpload(context);
  }
}
