import { AppError } from '#core/app-error.ts';

/** A file was removed between its upload and its note, by who saw no note of it: the next upload finds nobody who removes it. */
export function removedMeanwhile(sha256: string): AppError {
  return new AppError('conflict', `The file ${sha256} was removed while it was uploaded: send it again`);
}
