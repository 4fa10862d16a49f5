import { AppError } from '#core/app-error.ts';
import { LeaseLostError } from '../db/runs/runs.ts';

/** Ends a Run because somebody asked for it. */
export class StopRequest extends Error {
  override readonly name = 'StopRequest';
  override readonly message = 'The evaluator stopped the Run';
}

/** Ends the work on a Run because its Controller ends. */
export class Shutdown extends Error {
  override readonly name = 'Shutdown';
  override readonly message = 'The Controller was shut down';
}

/** What becomes of a Run that was not executed to its end: stopped, failed, left to the next start or another Controller, or lost to another Controller. */
export function endingOf(error: unknown): { state: 'stopped' | 'failed'; problem: string | null } | 'left' | 'lost' {
  if (error instanceof StopRequest) return { state: 'stopped', problem: null };
  if (error instanceof Shutdown) return 'left';
  if (error instanceof LeaseLostError) return 'lost';
  return {
    state: 'failed',
    problem: error instanceof AppError ? error.message : `Internal error: ${(error as Error).message}`,
  };
}
