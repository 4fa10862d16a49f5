/** Wall clock in epoch milliseconds with the resolution of `performance.now()`. */
export function epochClock(): number {
  return performance.timeOrigin + performance.now();
}
