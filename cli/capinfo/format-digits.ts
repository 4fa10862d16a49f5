/** As `printf("%.2f")` prints: halves go to the even digit, where `toFixed` takes them up. */
export function formatTwoDecimals(value: number): string {
  const hundredths = value * 100;
  const below = Math.floor(hundredths);
  // Only multiples of an eighth can lie exactly between two hundredths.
  const isHalf = Number.isInteger(value * 8) && hundredths - below === 0.5;
  return isHalf && below % 2 === 0 ? (below / 100).toFixed(2) : value.toFixed(2);
}

/** Nanoseconds as seconds with `digits` decimals, computed without a double. */
export function formatSeconds(nanoseconds: bigint, digits: number): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const absolute = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(absolute % 1_000_000_000n)
    .padStart(9, '0')
    .slice(0, digits);
  return `${sign}${absolute / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}
