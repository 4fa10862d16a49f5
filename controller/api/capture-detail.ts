import { AppError } from '#core/app-error.ts';
import { explainNoCapture } from '#core/evaluation/explain-no-capture.ts';
import type { CaptureDetail } from '#core/protocol/api/capture.ts';
import type { CaptureOutcome } from '#core/protocol/capture.ts';
import { findCapture, type StoredCapture } from '../db/captures.ts';
import type { Queryable } from '../db/queryable.ts';

/** Throws `not-found` when there is no such Pass. */
export async function readCaptureDetail(db: Queryable, passId: string): Promise<CaptureDetail> {
  const stored = await findCapture(db, passId);
  if (!stored) throw new AppError('not-found', `There is no Pass ${passId}`);
  const { runId, block, scenario, userAgent } = stored;
  return { passId, runId, block, scenario, userAgent, outcome: readOutcome(stored) };
}

function readOutcome({ outcome, traceRemovedAt, ...pass }: StoredCapture): CaptureOutcome {
  if (outcome?.kind === 'captured' && traceRemovedAt !== null) {
    return { ...outcome, trace: { kind: 'absent', reason: `It is no longer kept: it was deleted on ${traceRemovedAt.toISOString()} to make room for newer ones` } };
  }
  if (outcome) return outcome;
  return { kind: 'absent', reason: explainAbsence(pass) };
}

function explainAbsence({ evaluation, userAgent, isBroken }: Omit<StoredCapture, 'outcome' | 'traceRemovedAt'>): string {
  const user = evaluation.userAgents.find(({ name }) => name === userAgent);
  const known = user ? explainNoCapture(evaluation, user) : null;
  return known ?? (isBroken ? 'Its Round was broken off before this Pass had ended' : 'Its Agent has not uploaded it yet');
}
