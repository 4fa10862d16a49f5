/** An instant in ISO 8601, to the microsecond: `Date` alone would cut it to the millisecond. */
export function formatInstant(epochMs: number): string {
  const wholeMs = Math.floor(epochMs);
  const microseconds = Math.floor((epochMs - wholeMs) * 1000);
  return `${new Date(wholeMs).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}
