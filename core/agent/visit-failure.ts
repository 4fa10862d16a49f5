import type { FailureCode } from '../metrics/failure-code.ts';
import type { Snapshot } from '../metrics/snapshot.ts';
import type { VisitOutcome } from '../protocol/visit.ts';

/** Ends a Visit: thrown where it is noticed, caught where the outcome is made. */
export class VisitFailure extends Error {
  override readonly name = 'VisitFailure';
  readonly code: FailureCode;
  readonly snapshot: Snapshot | null;

  constructor(code: FailureCode, detail: string, snapshot: Snapshot | null = null) {
    super(detail);
    this.code = code;
    this.snapshot = snapshot;
  }
}

/** So many frames that some browsers are busy with them for minutes. */
const manyFrames = 200;

/** Why a page does not answer what takes no time. `mayShowDialog`: whether nobody answers one. */
export function explainBusyPage({
  withinMs,
  frameCount,
  mayShowDialog = false,
}: {
  withinMs: number;
  frameCount: number;
  mayShowDialog?: boolean;
}): VisitFailure {
  const why = [
    ...(frameCount > manyFrames ? [`the browser is busy with its ${frameCount} frames`] : []),
    'a script of it does not end',
    ...(mayShowDialog ? ['it shows a dialog'] : []),
  ].join(', or ');
  return new VisitFailure('timeout', `The page did not answer for ${withinMs} ms: ${why}`);
}

/** The outcome of a Visit that this error ended; an error of another kind is one of the engine. */
export function failedOutcome(error: unknown): VisitOutcome {
  const { code, message, snapshot } =
    error instanceof VisitFailure
      ? error
      : new VisitFailure('engine-error', error instanceof Error ? error.message : String(error));
  return { status: 'failed', code, detail: message.slice(0, 4096), snapshot };
}
