/** Nanoseconds as seconds with so many decimals, no digit of which went through a double. */
export function formatSeconds(nanoseconds: bigint, digits: number): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const absolute = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(absolute % 1_000_000_000n).padStart(9, '0').slice(0, digits);
  return `${sign}${absolute / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The same as a JSON number with all its digits: who reads it into doubles loses the last of them, others do not. */
export function secondsAsJson(nanoseconds: bigint, digits: number): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(formatSeconds(nanoseconds, digits));
}
