import type { Logger } from 'pino';
import type { SiteArchive } from '../../sites/site-archive.ts';
import type { PictureArchive } from './picture-archive.ts';
import { isStoreAway } from './artefact-errors.ts';
import type { TraceArchive } from './trace-archive.ts';

const sweepEveryMs = 3_600_000;
/** An Agent that was cut off between a trace and its Capture has this long to come back; then it uploads both again. */
const minimumAgeMs = 24 * 3_600_000;

export interface ArtefactSweep extends AsyncDisposable {
  /** Sweeps now, too. */
  wake(): void;
}

/** Sweeps traces, pictures and the files of Sites now and every hour, until disposed of. A sweep that fails is made up for by the next. */
export function sweepArtefacts({
  traces,
  pictures,
  sites,
  log,
}: {
  traces: TraceArchive;
  pictures: PictureArchive;
  sites: Pick<SiteArchive, 'files' | 'removeUnnamed'>;
  log: Logger;
}): ArtefactSweep {
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const sweep = async () => {
    const nowEpochMs = Date.now();
    try {
      await traces.sweep({ nowEpochMs, minimumAgeMs, signal });
      await pictures.removeUnnamed(signal);
      await pictures.files.removeIncomingBefore(nowEpochMs - minimumAgeMs);
      await sites.removeUnnamed();
      await sites.files.removeIncomingBefore(nowEpochMs - minimumAgeMs);
    } catch (error) {
      // Who watches the store reports that, and lets this sweep again.
      if (isStoreAway(error)) return;
      log.warn({ err: error }, 'Old traces, pictures and files of Sites could not be removed; trying again in an hour');
    }
  };
  let last = sweep();
  const wake = () => {
    if (!signal.aborted) last = last.then(sweep);
  };
  const timer = setInterval(wake, sweepEveryMs);
  return {
    wake,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      lifetime.abort();
      await last;
    },
  };
}
