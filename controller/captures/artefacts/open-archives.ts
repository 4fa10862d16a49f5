import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { SiteArchive } from '../../sites/site-archive.ts';
import type { SiteReader } from '../../sites/site-reader.ts';
import { isStoreAway } from './artefact-store.ts';
import type { BucketAddress } from './artefacts-url.ts';
import { openBucket } from './bucket/open-bucket.ts';
import { StoreWatch } from './bucket/store-watch.ts';
import { openFolder } from './open-folder.ts';
import { PictureArchive } from './picture-archive.ts';
import { TraceArchive } from './trace-archive.ts';

const defaultMaximumTraceBytes = 5e9;

interface ArchiveOptions {
  pool: Pool;
  siteReader: SiteReader;
  /** Where files are, or are on their way to a bucket. */
  artefactsFolder: string;
  /** Where they are kept instead. */
  bucket?: BucketAddress | undefined;
  /** The oldest traces are deleted when all together are larger; 5 GB unless given. */
  maximumTraceBytes?: number | undefined;
  log: Logger;
}

/** What a Controller keeps as files. Disposing of it ends what watches and sweeps them. */
export interface Archives extends AsyncDisposable {
  traces: TraceArchive;
  pictures: PictureArchive;
  sites: SiteArchive;
  storeWatch: StoreWatch;
}

export function openArchives({
  pool,
  siteReader,
  artefactsFolder,
  bucket: address,
  maximumTraceBytes = defaultMaximumTraceBytes,
  log,
}: ArchiveOptions): Archives {
  const bucket = address ? openBucket(address, { folder: artefactsFolder }) : null;
  const storeWatch = new StoreWatch({ bucket, log });
  const place = bucket ?? openFolder(artefactsFolder);
  const traces = new TraceArchive(place, { pool, maximumBytes: maximumTraceBytes });
  const pictures = new PictureArchive(place, { pool });
  const sites = new SiteArchive(place, { pool, reader: siteReader });
  const sweeping = sweepArtefacts({ traces, pictures, sites, log });
  storeWatch.on('returned', () => sweeping.wake());
  return {
    traces,
    pictures,
    sites,
    storeWatch,
    async [Symbol.asyncDispose]() {
      const swept = sweeping[Symbol.asyncDispose]();
      // With the connections to a store, which may list files without an end.
      await storeWatch[Symbol.asyncDispose]();
      await swept;
    },
  };
}

const sweepEveryMs = 3_600_000;
/** An Agent that was cut off between a trace and its Capture has this long to come back; then it uploads both again. */
const minimumAgeMs = 24 * 3_600_000;

interface ArtefactSweep extends AsyncDisposable {
  /** Sweeps now, too. */
  wake(): void;
}

/** Sweeps traces, pictures and the files of Sites now and every hour, until disposed of. A sweep that fails is made up for by the next. */
function sweepArtefacts({
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
