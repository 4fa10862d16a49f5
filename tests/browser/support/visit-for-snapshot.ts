import type { EngineSession, VisitRequest } from '#agent/engines/engine.ts';
import { type MetricId, deriveReadings } from '#core/metrics/index.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';

type Page = Pick<VisitRequest, 'untilMark'>;

export function visit(session: EngineSession, url: string, page: Page = {}): Promise<VisitOutcome> {
  return session.visit({ url, ...page, signal: new AbortController().signal });
}

/** Visits a page that has to load. */
export async function takeSnapshot(session: EngineSession, url: string, page: Page = {}): Promise<Snapshot> {
  const outcome = await visit(session, url, page);
  if (outcome.status === 'failed') throw new Error(`${url} failed: ${outcome.code}, ${outcome.detail}`);
  return outcome.snapshot;
}

/** The value of a metric that has to be there. */
export function valueOf(snapshot: Snapshot, metric: MetricId): number {
  const reading = deriveReadings(snapshot).find((candidate) => candidate.metric === metric);
  if (reading?.kind !== 'measured')
    throw new Error(`${metric} of ${snapshot.requestedUrl} is absent: ${reading?.reason ?? 'no Reading'}`);
  return reading.value;
}
