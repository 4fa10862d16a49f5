/**
 * Jain's fairness index of what each of n users received: (Σx)² / (n·Σx²), from 1/n (one user has all) to 1 (all equal). Given what each received over
 * its weight, it is the weighted index: 1 when all received in proportion to their weights.
 * Jain, Chiu, Hawe 1984. Throws RangeError when nobody received anything: the index is undefined there.
 */
export function jainIndex(received: readonly number[]): number {
  const sum = received.reduce((total, value) => total + value, 0);
  if (!(sum > 0)) throw new RangeError('The fairness index is undefined if nobody received anything');
  // Shares, for the squares of large counts of bytes are beyond what a double holds exactly.
  const squares = received.reduce((total, value) => total + (value / sum) ** 2, 0);
  return 1 / (received.length * squares);
}
