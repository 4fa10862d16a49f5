import { formatNumber } from './format-number.ts';

/** Decimals that a latency is shown with: enough to distinguish values, no more than a browser's clock is good for. */
export const decimalsOfMs = (valueMs: number) => (Math.abs(valueMs) < 100 ? 1 : 0);

/** A latency with its unit: `2 314 ms`, `41.3 ms`. */
export function formatMs(valueMs: number): string {
  return `${formatNumber(valueMs, decimalsOfMs(valueMs))}\u00A0ms`;
}

/** A difference of latencies, its sign before it, with the given count of decimals: `−412`, `+8.3`, `0.0`. */
export function formatDifferenceMs(valueMs: number, decimals: number): string {
  const text = formatNumber(valueMs, decimals);
  return Number(valueMs.toFixed(decimals)) > 0 ? `+${text}` : text;
}
