import { formatTime } from '../format/format-time.ts';
import { formatTimeAgo } from '../format/format-time-ago.ts';
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
