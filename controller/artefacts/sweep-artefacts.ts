import type { Logger } from 'pino';
import type { ScreenshotArchive } from './screenshot-archive.ts';
import type { TraceArchive } from './trace-archive.ts';

const everyMs = 3_600_000;
/** An Agent that was cut off between a trace and its Capture has so long to come back; then it uploads both anew. */
const minimumAgeMs = 24 * 3_600_000;

/** Sweeps traces and screenshots now and every hour, until disposed of. A sweep that fails is made up for by the next. */
export function sweepArtefacts({ traces, screenshots, log }: { traces: TraceArchive; screenshots: ScreenshotArchive; log: Logger }): AsyncDisposable {
  const sweep = async () => {
    const nowEpochMs = Date.now();
    try {
      await traces.sweep({ nowEpochMs, minimumAgeMs });
      await screenshots.files.removeIncomingBefore(nowEpochMs - minimumAgeMs);
    } catch (error) {
      log.warn({ err: error }, 'The archives of traces and screenshots could not be swept; it is tried again in an hour');
    }
  };
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
