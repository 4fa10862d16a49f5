import type { FailureCode } from '#core/metrics/failure-code.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';

/** Ends a Visit: thrown from wherever it is noticed, caught where the outcome is made. */
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

export function failedOutcome(error: unknown): VisitOutcome {
  const { code, message, snapshot } = error instanceof VisitFailure ? error : new VisitFailure('engine-error', error instanceof Error ? error.message : String(error));
  return { status: 'failed', code, detail: message.slice(0, 4096), snapshot };
}
