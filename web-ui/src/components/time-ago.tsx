import { formatTimeAgo } from '../format/format-time-ago.ts';
import { useNow } from './use-now.ts';

/** How long ago a time was; the exact local time on hover. */
export function TimeAgo({ time }: { time: string }) {
  const nowEpochMs = useNow(10_000);
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {formatTimeAgo(Date.parse(time), nowEpochMs)}
    </time>
  );
}
