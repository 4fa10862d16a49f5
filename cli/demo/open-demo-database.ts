import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { connectDatabase } from '#controller/database/connect.ts';
import type { Logger } from 'pino';
import { readLocalAccess } from '../controller/controller-access.ts';
import { tryLock } from '../home/try-lock.ts';
import { openDatabaseServer } from '../up/open-database-server.ts';
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

/** A folder that is this process's own until disposed of. */
interface ClaimedFolder extends Disposable {
  path: string;
  /** No other one is claimed. */
  isFirst: boolean;
}

/**
 * Claims `demo` in the home folder, or `demo-2`, `demo-3`, … while others hold those: what a demo keeps to itself, such as its origin, and its database
 * where it has its own. SQLite's lock on a file ends with its
 * process, however that ends.
 */
export function claimFolder(homeFolder: string): ClaimedFolder {
  for (let number = 1; ; number++) {
    const folder = path.join(homeFolder, number === 1 ? 'demo' : `demo-${number}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = tryLock(path.join(folder, 'lock.sqlite'));
    if (lock) return { path: folder, isFirst: number === 1, [Symbol.dispose]: () => lock.close() };
  }
}
