import { VisitFailure } from '#core/agent/visit-failure.ts';
import { AppError } from '#core/app-error.ts';

/** What an error in a Visit means: the browser's end explains every other error that comes with it. */
export function readFailure(error: unknown, state: { isAborted: boolean; isBrowserGone: boolean }): VisitFailure {
  if (state.isAborted) return new VisitFailure('aborted', 'The Visit was aborted');
  if (error instanceof VisitFailure) return error;
  if (error instanceof AppError) return new VisitFailure('browser-crashed', error.message);
  if (state.isBrowserGone) return new VisitFailure('browser-crashed', 'The browser ended during the Visit');
  return new VisitFailure('engine-error', error instanceof Error ? error.message : String(error));
}
