import { tTestGreater } from './t-test.ts';

/**
 * Two one-sided t tests (Schuirmann 1987): the larger p of "the mean is at most low" and "the mean is at least high". Below α the mean lies
 * between the two, which is the same as its 1 − 2α interval doing so. Null with fewer than two values.
 */
export function testEquivalence(
  values: readonly number[],
  { low, high }: { low: number; high: number },
): number | null {
  const [aboveLow, belowHigh] = [
    tTestGreater(values, low),
    tTestGreater(
      values.map((value) => -value),
      -high,
    ),
  ];
  return aboveLow === null || belowHigh === null ? null : Math.max(aboveLow, belowHigh);
}
