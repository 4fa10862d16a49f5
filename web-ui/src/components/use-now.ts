import { useEffect, useState } from 'react';

/** The present time, read again at every interval. */
export function useNow(intervalMs: number): number {
  const [nowEpochMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return nowEpochMs;
}
