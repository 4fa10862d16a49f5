/** Nanoseconds as seconds with `digits` decimals, computed without a double. */
export function formatSeconds(nanoseconds: bigint, digits: number): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const absolute = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(absolute % 1_000_000_000n)
    .padStart(9, '0')
    .slice(0, digits);
  return `${sign}${absolute / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The same as a JSON number with all its digits. Reading it into a double loses the last digits. */
export function secondsAsJson(nanoseconds: bigint, digits: number): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(formatSeconds(nanoseconds, digits));
}
