import { connectDatabase } from '#controller/database/connect.ts';
import type { Logger } from 'pino';
import { readLocalAccess } from '../controller/controller-access.ts';
import { openDatabaseServer } from '../up/open-database-server.ts';
import type { ClaimedFolder } from './claim-folder.ts';
import { demoName } from './demo-evaluation.ts';

interface DemoDatabaseOptions {
  homeFolder: string;
  claimed: ClaimedFolder;
  environment: NodeJS.ProcessEnv;
  say: (line: string) => void;
  log: Logger;
  signal: AbortSignal;
}

type DemoDatabase = Awaited<ReturnType<typeof openDatabaseServer>>;

/**
 * The database of `up`, so that what a demo measured is there afterwards; its own one, in the claimed folder, where the Runs of others would wait for the demo, or the demo for
 * them: while a Controller, or another demo, works in the home folder, or Runs wait there.
 */
export async function openDemoDatabase(options: DemoDatabaseOptions): Promise<DemoDatabase> {
  const { homeFolder, claimed, environment, say, log, signal } = options;
  const openIn = (folder: string) => openDatabaseServer({ folder, environment, log, signal });
  const openApart = (reason: string) => {
    say(`${reason}: the demo keeps its Run apart, in ${claimed.path}. Otherwise "./http-ae up" shows it afterwards`);
    return openIn(claimed.path);
  };
  if (environment.DATABASE_URL) return openIn(homeFolder);
  const occupant = await findOccupant({ homeFolder, claimed });
  if (occupant !== null) return openApart(occupant);

  await using started = new AsyncDisposableStack();
  const shared = started.use(await openIn(homeFolder));
  if (!(await hasOtherOpenRuns(shared.databaseUrl, log))) {
    started.move();
    return shared;
  }
  await started.disposeAsync();
  return await openApart('Runs wait in your database');
}

/** Who works with the database of the home folder; null where nobody does. */
export async function findOccupant({
  homeFolder,
  claimed,
}: Pick<DemoDatabaseOptions, 'homeFolder' | 'claimed'>): Promise<string | null> {
  if (!claimed.isFirst) return 'Another demo runs';
  const running = await readLocalAccess(homeFolder);
  return running && `HTTP-AE runs at ${running.url}`;
}

/** Of a database that is new, no Run. Those that a demo has left are stopped by the next one. */
export async function hasOtherOpenRuns(databaseUrl: string, log: Logger): Promise<boolean> {
  const pool = await connectDatabase({ databaseUrl, mostConnections: 1, log });
  try {
    const { rows: tables } = await pool.query<{ there: boolean }>(`select to_regclass('run') is not null as there`);
    if (!tables[0]!.there) return false;
    const { rows } = await pool.query<{ waits: boolean }>(
      `select exists (select from run where state in ('pending', 'running', 'stopping') and not starts_with(document ->> 'name', $1)) as waits`,
      [demoName],
    );
    return rows[0]!.waits;
  } finally {
    await pool.end();
  }
}
