import { AppError } from '#core/app-error.ts';

/** Without a `cause`: a refused connection in it would pass for one to the database. */
export function storeAway(message: string): AppError {
  return new AppError('artefacts-unreachable', message);
}

/** Whether an error came from a store of artefacts that is away or rejects requests, so that the work is worth another try. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'artefacts-unreachable';
}
