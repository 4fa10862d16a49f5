import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#core/app-error.ts';
import type { Account } from './choose-account.ts';
import { nameDataFolder, runAsAccount } from './run-as-account.ts';
import { superuser } from './separate-roles.ts';

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
    for (const file of account.owner === null ? [] : [passwordFile, unfinished])
      await chown(file, account.owner!.userId, account.owner!.groupId);
    await using input = await open(passwordFile);
    await runAsAccount(account, {
      program: 'initdb',
      dataFolder: unfinished,
      args: [
        '-D',
        nameDataFolder(account, unfinished),
        '-U',
        superuser,
        '--auth=scram-sha-256',
        '--pwfile=/dev/stdin',
        '--encoding=UTF8',
        '--locale=C',
      ],
      input,
      signal,
    });
    await rename(unfinished, dataFolder).catch((error: unknown) => {
      if (!existsSync(path.join(dataFolder, 'PG_VERSION'))) throw error;
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError(
      'postgres-failed',
      `PostgreSQL cannot create its data folder ${dataFolder}: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}
