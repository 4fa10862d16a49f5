/** A sorted copy. */
export function sortNumbers(values: ArrayLike<number>): Float64Array {
  return new Float64Array(values).sort();
}
