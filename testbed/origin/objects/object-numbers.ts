import { AppError } from '#core/app-error.ts';

/** On one page. */
export const maximumImageCount = 1000;
/** The smallest that is still an image. */
export const minimumImageBytes = 200;
/** Of the objects of a page. A single image may be longer. */
export const maximumImageBytes = 1_000_000;

/** The size of the images of a page. Throws `invalid-input`. */
export function readImageBytes(text: string, name: string): number {
  return readWholeNumber(text, { name, min: minimumImageBytes, max: maximumImageBytes });
}

interface Bounds {
  name: string;
  min: number;
  max: number;
}

/** A whole number from a URL's path. Throws `invalid-input`. */
export function readWholeNumber(text: string | undefined, { name, min, max }: Bounds): number {
  const value = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new AppError('invalid-input', `${name} must be a whole number from ${min} to ${max}, not "${text ?? ''}"`);
}
