import { readWholeNumber } from '../read-whole-number.ts';
import { maximumImageBytes, minimumImageBytes } from './image-bounds.ts';

/** The size of the images of a page. Throws `invalid-input`. */
export function readImageBytes(text: string, name: string): number {
  return readWholeNumber(text, { name, min: minimumImageBytes, max: maximumImageBytes });
}
