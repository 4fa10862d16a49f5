import { useEffect, useState } from 'react';
import { formatTime } from '../format/format-times.ts';
import { AbsentValue } from './absent-value.tsx';
import type { DataColumn } from './data-table.tsx';

/** How long ago a time was; the exact local time on hover. */
export function TimeAgo({ time }: { time: string }) {
  const nowEpochMs = useNow(10_000);
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatTimeAgo(Date.parse(time), nowEpochMs)}
    </time>
  );
}

/** A column of such times. `absent`: why a row has none. */
export function timeColumn<Row>(name: string, timeOf: (row: Row) => string | null, absent = ''): DataColumn<Row> {
  const cell = (row: Row) => {
    const time = timeOf(row);
    return time === null ? <AbsentValue reason={absent} /> : <TimeAgo time={time} />;
  };
  return { name, isNumeric: true, sortBy: timeOf, cell };
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

/** The present time, read again at every interval. */
export function useNow(intervalMs: number): number {
  const [nowEpochMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return nowEpochMs;
}
