import { countUnstorableVisits } from '../visits/refused-visits.ts';
import { countStoredVisits } from '../runs/rounds.ts';
import { RoundBrokenError } from './round-broken-error.ts';
import type { RunContext } from './run-context.ts';
import { UploadWatch } from './upload-watch.ts';

/** How long no Visit may arrive while some are missing: an Agent that is restarted has this long to come back and upload its spool. */
const silenceLimitMs = 120_000;

interface CollectedRound {
  id: string;
  passes: { id: string; userAgent: string; agent: string; visitsExpected: number }[];
}

/**
 * Asks the Agents for what they spooled and waits until all of it is stored. Each Agent is asked once, and continues by itself; again after two seconds, as it may have connected
 * again since. Throws RoundBrokenError when Visits stay away.
 */
export async function collectVisits(context: RunContext, round: CollectedRound): Promise<void> {
  const { hub, store, signal, time } = context;
  let lastTotal = -1;
  let deadlineMs = time.clock() + silenceLimitMs;
  using uploads = new UploadWatch(context);
  for (;;) {
    signal.throwIfAborted();
    uploads.beginLook();
    const stored = await store((db) => countStoredVisits(db, round.id));
    const missing = round.passes.filter((pass) => (stored.get(pass.id) ?? 0) < pass.visitsExpected);
    if (missing.length === 0) return;

    const unstorable = await store((db) => countUnstorableVisits(db, round.id));
    const unstored = missing.filter((pass) => unstorable.has(pass.id));
    if (unstored.length > 0) {
      const whose = unstored.map((pass) => `${unstorable.get(pass.id)} of ${pass.userAgent}`).join(', ');
      throw new RoundBrokenError(`Cannot store Visits, ${whose}: their Agent keeps them; see the Controller's log`);
    }

    const total = [...stored.values()].reduce((sum, count) => sum + count, 0);
    if (total > lastTotal) deadlineMs = time.clock() + silenceLimitMs;
    lastTotal = total;
    if (time.clock() > deadlineMs) {
      throw new RoundBrokenError(
        `The Visits of ${missing.map((pass) => pass.userAgent).join(', ')} did not arrive within ${silenceLimitMs / 1000} s`,
      );
    }
    for (const agent of new Set(missing.map((pass) => pass.agent))) hub.send(agent, { type: 'upload-visits' });
    await uploads.untilStored(
      new Map(missing.map((pass) => [pass.id, pass.visitsExpected - (stored.get(pass.id) ?? 0)])),
    );
  }
}
