import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ArtefactPlace } from '#controller/captures/artefacts/artefact-store.ts';
import { connectDatabase } from '#controller/database/connect.ts';
import { createLog } from '../create-log.ts';
import { findHome } from '../installation.ts';
import { openDatabaseServer } from '../up/open-database-server.ts';
import { openBucket } from '#controller/captures/artefacts/bucket/open-bucket.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { chooseArtefacts } from '../up/open-controller.ts';

export interface StoredData {
  pool: Pool;
  place: ArtefactPlace;
  log: Logger;
}

/** Lends the database and the place of artefacts that `up` uses with the same environment. */
export async function withStoredData<T>(
  { isVerbose, signal }: { isVerbose: boolean; signal: AbortSignal },
  work: (data: StoredData) => Promise<T>,
): Promise<T> {
  const { env: environment } = process;
  const log = createLog(isVerbose ? 'debug' : 'warn');
  const folder = findHome(environment);
  await using artefacts = openArtefacts({ homeFolder: folder, environment });
  await using database = await openDatabaseServer({ folder, environment, log, signal });
  // A restore migrates, which needs a session of its own.
  const pool = await connectDatabase({ databaseUrl: database.listenDatabaseUrl, log });
  try {
    return await work({ pool, place: artefacts.place, log });
  } finally {
    await pool.end();
  }
}

/** The traces and pictures that `up` keeps with the same environment. */
function openArtefacts(options: {
  homeFolder: string;
  environment: NodeJS.ProcessEnv;
}): AsyncDisposable & { place: ArtefactPlace } {
  const { folder, bucket: address } = chooseArtefacts(options);
  if (!address) return { place: openFolder(folder), [Symbol.asyncDispose]: () => Promise.resolve() };
  const bucket = openBucket(address, { folder });
  return { place: bucket, [Symbol.asyncDispose]: () => bucket[Symbol.asyncDispose]() };
}
