import { formatMs } from './format-ms.ts';

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
  return errorMs === null ? formatMs(skewMs) : `${formatMs(skewMs)} ± ${formatMs(errorMs)}`;
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
