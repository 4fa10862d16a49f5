import { formatTime } from '../format/format-times.ts';
import { useNow } from './use-now.ts';

/** How long ago a time was; the exact local time on hover. */
export function TimeAgo({ time }: { time: string }) {
  const nowEpochMs = useNow(10_000);
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatTimeAgo(Date.parse(time), nowEpochMs)}
    </time>
  );
}

/** How long ago something was, in one unit, for times whose exact value is beside them: `just now`, `5 min ago`, `3 days ago`. */
export function formatTimeAgo(epochMs: number, nowEpochMs: number): string {
  const minutes = Math.floor((nowEpochMs - epochMs) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
