/** Epoch milliseconds with fractions, on the clock that browsers use too: `performance.timeOrigin + performance.now()`. */
export function readEpochMs(): number {
  return performance.timeOrigin + performance.now();
}
