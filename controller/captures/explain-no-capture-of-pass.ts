import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { explainNoCapture } from '#core/evaluation/capture/explain-no-capture.ts';

/** Why no Capture of a Pass is stored. */
export function explainNoCaptureOfPass({
  evaluation,
  userAgent,
  isBroken,
}: {
  evaluation: Evaluation;
  userAgent: string;
  isBroken: boolean;
}): string {
  const user = evaluation.userAgents.find(({ name }) => name === userAgent);
  const known = user ? explainNoCapture(evaluation, user) : null;
  return known ?? explainNotStored(isBroken);
}

/** Why a Capture that was ordered is not stored. */
export function explainNotStored(isBroken: boolean): string {
  return isBroken ? 'Its Round was broken, and its Agent has not uploaded it' : 'Its Agent has not uploaded it yet';
}
