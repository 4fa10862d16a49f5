/**
 * A moment in the reader's time zone, the same in every language: `2026-11-22 22:21:12`. For records and limits. `TimeAgo` shows it on hover.
 */
export function formatTime(time: string): string {
  const moment = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  return `${date}\u00A0${[moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':')}`;
}
