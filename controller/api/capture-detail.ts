import { AppError } from '#core/app-error.ts';
import type { CaptureDetail, PointCaptureDetail } from '#core/protocol/api/stored-capture.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { findPassCapture, findPointCapture } from '../db/captures/captures.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { explainNoCaptureOfPass, explainNotStored } from './explain-no-capture-of-pass.ts';

/** Throws `not-found` when there is no such Pass. */
export async function readCaptureDetail(db: Queryable, passId: string): Promise<CaptureDetail> {
  const stored = await findPassCapture(db, passId);
  if (!stored) throw new AppError('not-found', `There is no Pass ${passId}`);
  const { runId, block, scenario, userAgent } = stored;
  return { passId, runId, block, scenario, userAgent, outcome: readOutcome(stored, explainNoCaptureOfPass(stored)) };
}

/** Throws `not-found` when there is no such Capture Point in any Round. */
export async function readPointCaptureDetail(db: Queryable, captureId: string): Promise<PointCaptureDetail> {
  const stored = await findPointCapture(db, captureId);
  if (!stored) throw new AppError('not-found', `There is no Capture Point ${captureId} in any Round`);
  const { isBroken, outcome, traceRemovedAt, ...detail } = stored;
  return { ...detail, outcome: readOutcome({ outcome, traceRemovedAt }, explainNotStored(isBroken)) };
}

function readOutcome(
  { outcome, traceRemovedAt }: { outcome: CaptureOutcome | null; traceRemovedAt: Date | null },
  absence: string,
): CaptureOutcome {
  if (outcome?.kind === 'captured' && traceRemovedAt !== null) {
    const reason = `The Controller’s retention limit removed it on ${traceRemovedAt.toISOString()} to make room for newer ones; its statistics stay`;
    return { ...outcome, trace: { kind: 'absent', reason } };
  }
  return outcome ?? { kind: 'absent', reason: absence };
}
