import { compressSnapshot } from '#agent/spool/visit-spool.ts';
import { toSentVisit, type CompressedVisit } from '#core/protocol/sent-visit.ts';
import type { Visit } from '#core/protocol/visit.ts';

/** As an Agent sends it. */
export function compressVisit(visit: Visit): CompressedVisit {
  const snapshot = visit.outcome.snapshot && compressSnapshot(visit.outcome.snapshot);
  return { visit: toSentVisit(visit, snapshot), snapshot };
}
