import type { Time } from '#core/clock/time.ts';
import type { Engine, EngineLog } from './engine.ts';

/** Soon enough for a person who has just installed one. A look costs a few questions to the file system. */
const lookEveryMs = 30_000;

/** Finds an engine that was not there at the start, and opens it; null where there is still none. */
export type LookForEngine = () => Promise<Engine | null>;

interface Waiting {
  /** Whether nothing is measured, which the start of a browser would disturb. */
  mayLook: () => boolean;
  sleep: Time['sleep'];
  log: EngineLog;
  signal: AbortSignal;
}

/** Looks now and then for an engine, until there is one, or the signal aborts: then null. One that does not start is logged, and looked for further. */
export async function awaitEngine(
  look: LookForEngine,
  { mayLook, sleep, log, signal }: Waiting,
): Promise<Engine | null> {
  for (;;) {
    try {
      await sleep(lookEveryMs, signal);
    } catch {
      return null;
    }
    if (!mayLook()) continue;
    try {
      const found = await look();
      if (signal.aborted) return null;
      if (found) return found;
    } catch (error) {
      if (signal.aborted) return null;
      log.warn((error as Error).message);
    }
  }
}
