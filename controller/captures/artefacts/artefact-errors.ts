import { AppError } from '#core/app-error.ts';

/** Without a `cause`: a refused connection in it would pass for one to the database. */
export function storeAway(message: string): AppError {
  return new AppError('artefacts-unreachable', message);
}

/** Whether an error came from a store of artefacts that is away or rejects requests, so that the work is worth another try. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'artefacts-unreachable';
}

/** A file was removed between its upload and its note, by who saw no note of it: the next upload finds nobody who removes it. */
export function removedMeanwhile(sha256: string): AppError {
  return new AppError('conflict', `The file ${sha256} was removed while it was uploaded: send it again`);
}
