const sampleEveryMs = 2_000;
/** Longer than the slice of time that a scheduler gives at once, so that it waits where others want the processor. */
const sampleCpuUs = 20_000;

/**
 * Watches how many times as long this machine takes as it would without other programs: the wall-clock time of a piece of work over its processor time.
 * The returned function ends the watch, and gives the mean, at least 1.
 */
export function watchSlowdown(): () => number {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(sampleSlowdown()), sampleEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    samples.push(sampleSlowdown());
    return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  };
}

function sampleSlowdown(): number {
  const startMs = performance.now();
  const start = process.threadCpuUsage();
  const usedUs = () => {
    const { user, system } = process.threadCpuUsage(start);
    return user + system;
  };
  while (usedUs() < sampleCpuUs);
  return Math.max(1, (1000 * (performance.now() - startMs)) / usedUs());
}
