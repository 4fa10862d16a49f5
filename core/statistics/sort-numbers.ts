/** A sorted copy. */
export function sortNumbers(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort();
}
