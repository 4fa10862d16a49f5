import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '#core/app-error.ts';
import type { Account } from './choose-account.ts';

const execute = promisify(execFile);

/**
 * Makes the data folder unless it is there. `initdb` works in a folder beside it, which is renamed at the end: a first
 * start that was interrupted leaves no half-made data, and of two at once one wins.
 */
export async function initialiseData(
  dataFolder: string,
  { account, password, signal }: { account: Account; password: string; signal: AbortSignal },
): Promise<void> {
  if (existsSync(path.join(dataFolder, 'PG_VERSION'))) return;
  await mkdir(path.dirname(dataFolder), { recursive: true });
  const unfinished = await mkdtemp(`${dataFolder}-unfinished-`);
  const passwordFile = `${unfinished}.password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    await account.own(passwordFile);
    await account.own(unfinished);
    const [command, ...rest] = [
      ...account.prefix,
      path.join(account.binaries, 'initdb'),
      ...['-D', unfinished, '-U', 'http_ae', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C'],
    ];
    await execute(command!, rest, { cwd: '/', env: { ...process.env, LC_ALL: 'C' }, signal });
    await rename(unfinished, dataFolder).catch((error: unknown) => {
      if (!existsSync(path.join(dataFolder, 'PG_VERSION'))) throw error;
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError('postgres-failed', `PostgreSQL could not make its data folder ${dataFolder}: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}
