/** Sequence numbers are kept as signed 32-bit integers and compared by their difference, which survives the wrap at 2^32. RFC 9293, 3.4 */
export function isBefore(a: number, b: number): boolean {
  return ((a - b) | 0) < 0;
}
