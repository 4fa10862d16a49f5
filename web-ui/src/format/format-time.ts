/**
 * A moment by the clock of who reads it, the same in every language: `2026-11-22 22:21:12`. For records and limits; what is told by how long ago it was
 * (`TimeAgo`) has it one hover away.
 */
export function formatTime(time: string): string {
  const moment = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
  return `${date}\u00A0${[moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':')}`;
}
