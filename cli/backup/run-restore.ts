import { access, constants } from 'node:fs/promises';
import { restoreBackup } from '#controller/operating/restore-backup.ts';
import { AppError } from '#core/app-error.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { describeBackup } from './describe-backup.ts';
import { withStoredData } from './with-stored-data.ts';

export interface RestoreOptions {
  replace?: true;
  json?: true;
  verbose?: true;
}

/** Puts a backup where `up` finds it. */
export async function runRestore(file: string, { replace, json, verbose }: RestoreOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  try {
    await access(file, constants.R_OK);
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const end = await withStoredData({ isVerbose: verbose === true, signal }, ({ pool, place, log }) =>
    restoreBackup({ pool, place, file, replaces: replace === true, log, signal }),
  );
  process.stdout.write(json ? `${JSON.stringify(end)}\n` : `Restored ${describeBackup(end)}\n`);
}
