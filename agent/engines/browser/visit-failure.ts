import { AppError } from '#core/app-error.ts';
import type { FailureCode } from '#core/metrics/failure-code.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';

/** Ends a Visit: thrown from wherever it is noticed, caught where the outcome is made. */
export class VisitFailure extends Error {
  readonly code: FailureCode;
  readonly snapshot: Snapshot | null;

  constructor(code: FailureCode, detail: string, snapshot: Snapshot | null = null) {
    super(detail);
    this.name = 'VisitFailure';
    this.code = code;
    this.snapshot = snapshot;
  }
}

/** What an error in a Visit means: the browser's end explains every other error that comes with it. */
export function readFailure(error: unknown, state: { isAborted: boolean; isBrowserGone: boolean }): VisitFailure {
  if (state.isAborted) return new VisitFailure('aborted', 'The Visit was aborted');
  if (error instanceof VisitFailure) return error;
  if (error instanceof AppError) return new VisitFailure('browser-crashed', error.message);
  if (state.isBrowserGone) return new VisitFailure('browser-crashed', 'The browser ended during the Visit');
  return new VisitFailure('engine-error', error instanceof Error ? error.message : String(error));
}

export function failedOutcome({ code, message, snapshot }: VisitFailure): VisitOutcome {
  return { status: 'failed', code, detail: message.slice(0, 4096), snapshot };
}
