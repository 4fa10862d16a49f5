import { leastErrorMs } from '#core/protocol/start-skew.ts';
import { fewDecimals } from '#core/statistics/reads-as-zero.ts';
import { formatHalfWidth, formatNumber } from './format-numbers.ts';

/** A stretch of wall-clock time, in its two largest units: `2 h 5 min`, `3 min 20 s`, `12 s`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  if (minutes > 0) return `${minutes} min ${seconds % 60} s`;
  return `${seconds} s`;
}

/** `2.3 ms ± 0.4 ms`; without the bound of its error where that is not known. */
export function formatSkew({ skewMs, errorMs }: { skewMs: number; errorMs: number | null }): string {
  return errorMs === null ? formatMs(skewMs) : `${formatMs(skewMs)} ${formatClockError(errorMs)}`;
}

/** The bound of the error of an instant: `± 0.4 ms`. None is zero. */
export function formatClockError(errorMs: number): string {
  return `${formatHalfWidth(Math.max(leastErrorMs, errorMs), decimalsOfMs(errorMs))}\u00A0ms`;
}

/**
 * A moment in the reader's time zone, the same in every language: `2026-11-22 22:21:12`. For records and limits. `TimeAgo` shows it on hover.
 */
export function formatTime(time: string): string {
  const moment = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  return `${date}\u00A0${[moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':')}`;
}

/** Decimals that a latency is shown with: enough to distinguish values, no more than a browser's clock is good for. */
export const decimalsOfMs = fewDecimals;

/** A latency with its unit: `2 314 ms`, `41.3 ms`. */
export function formatMs(valueMs: number): string {
  return `${formatNumber(valueMs, decimalsOfMs(valueMs))}\u00A0ms`;
}

/** A difference of latencies, its sign before it, with the given count of decimals: `−412`, `+8.3`, `0.0`. */
export function formatDifferenceMs(valueMs: number, decimals: number): string {
  const text = formatNumber(valueMs, decimals);
  return Number(valueMs.toFixed(decimals)) > 0 ? `+${text}` : text;
}
