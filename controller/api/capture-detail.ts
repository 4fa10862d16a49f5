import { AppError } from '#core/app-error.ts';
import { explainNoCapture } from '#core/evaluation/explain-no-capture.ts';
import type { CaptureDetail, PointCaptureDetail } from '#core/protocol/api/capture.ts';
import type { CaptureOutcome } from '#core/protocol/capture.ts';
import { findPassCapture, findPointCapture, type StoredPassCapture } from '../db/captures.ts';
import type { Queryable } from '../db/queryable.ts';

/** Throws `not-found` when there is no such Pass. */
export async function readCaptureDetail(db: Queryable, passId: string): Promise<CaptureDetail> {
  const stored = await findPassCapture(db, passId);
  if (!stored) throw new AppError('not-found', `There is no Pass ${passId}`);
  const { runId, block, scenario, userAgent } = stored;
  return { passId, runId, block, scenario, userAgent, outcome: readOutcome(stored, explainPass(stored)) };
}

/** Throws `not-found` when there is no such Capture Point in any Round. */
export async function readPointCaptureDetail(db: Queryable, captureId: string): Promise<PointCaptureDetail> {
  const stored = await findPointCapture(db, captureId);
  if (!stored) throw new AppError('not-found', `In no Round is there a Capture Point ${captureId}`);
  const { isBroken, outcome, traceRemovedAt, ...detail } = stored;
  return { ...detail, outcome: readOutcome({ outcome, traceRemovedAt }, explainAbsence(isBroken)) };
}

function readOutcome({ outcome, traceRemovedAt }: { outcome: CaptureOutcome | null; traceRemovedAt: Date | null }, absence: string): CaptureOutcome {
  if (outcome?.kind === 'captured' && traceRemovedAt !== null) {
    const reason = `It was removed by the retention limit of this Controller on ${traceRemovedAt.toISOString()}, to make room for newer ones; its statistics stay`;
    return { ...outcome, trace: { kind: 'absent', reason } };
  }
  return outcome ?? { kind: 'absent', reason: absence };
}

function explainPass({ evaluation, userAgent, isBroken }: StoredPassCapture): string {
  const user = evaluation.userAgents.find(({ name }) => name === userAgent);
  const known = user ? explainNoCapture(evaluation, user) : null;
  return known ?? explainAbsence(isBroken);
}

function explainAbsence(isBroken: boolean): string {
  return isBroken ? 'Its Round was broken off, and its Agent has uploaded nothing of it' : 'Its Agent has not uploaded it yet';
}
