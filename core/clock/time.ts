/** Time as an argument: logic of time gets it, so that a test can hold it. */
export interface Time {
  /** In milliseconds. Never goes back. */
  clock: () => number;
  /** Resolves after so long. Rejects with the signal's reason when aborted before. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

/** The time of this process or page. */
export const realTime: Time = { clock: () => performance.now(), sleep };

/** Resolves after so long. Rejects with the signal's reason when aborted before. */
export function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => {
    clearTimeout(timer);
    reject(signal.reason as Error);
  };
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', stop);
    resolve();
  }, durationMs);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return promise;
}

/** Acts after so long, unless the signal is aborted before. */
export function actAfter(durationMs: number, act: () => void, { sleep, signal }: Wait): void {
  void sleep(durationMs, signal).then(act, (error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Acts again and again, so long after each time, until the signal is aborted. */
export function actEvery(durationMs: number, act: () => void, wait: Wait): void {
  const actAgain = () => {
    actEvery(durationMs, act, wait);
    act();
  };
  actAfter(durationMs, actAgain, wait);
}

/** Leaves a time out while the work of an earlier one is still under way. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void work().finally(() => (isUnderWay = false));
  };
}

interface Wait extends Pick<Time, 'sleep'> {
  signal: AbortSignal;
}
