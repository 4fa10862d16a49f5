import type { Logger } from 'pino';
import type { TraceArchive } from './trace-archive.ts';

const everyMs = 3_600_000;
/** An Agent that was cut off between a trace and its Capture has so long to come back; then it uploads both anew. */
const minimumAgeMs = 24 * 3_600_000;

/** Sweeps the traces now and every hour, until disposed of. A sweep that fails is made up for by the next. */
export function sweepTraces(traces: TraceArchive, log: Logger): AsyncDisposable {
  const sweep = () =>
    traces.sweep({ nowEpochMs: Date.now(), minimumAgeMs }).catch((error: unknown) => log.warn({ err: error }, 'The archive of traces could not be swept; it is tried again in an hour'));
  let last = sweep();
  const timer = setInterval(() => {
    last = sweep();
  }, everyMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
    },
  };
}
