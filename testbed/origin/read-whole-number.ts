import { AppError } from '#core/app-error.ts';

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
