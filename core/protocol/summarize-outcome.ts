import { deriveReadings } from '../metrics/index.ts';
import type { FailureCode } from '../metrics/failure-code.ts';
import type { VisitOutcome } from './visit.ts';

/** What `visit-ended` reports of a Visit. `totalMs`: null where its total latency is absent. */
export function summarizeOutcome(outcome: VisitOutcome): { code: FailureCode | null; totalMs: number | null } {
  if (outcome.status === 'failed') return { code: outcome.code, totalMs: null };
  const total = deriveReadings(outcome.snapshot).find((reading) => reading.metric === 'totalMs');
  return { code: null, totalMs: total?.kind === 'measured' ? total.value : null };
}
