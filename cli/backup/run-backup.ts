import { access, constants, rm, stat } from 'node:fs/promises';
import { renameForGood } from '#controller/captures/artefacts/incoming-files.ts';
import { restoreBackup } from '#controller/operating/restore-backup.ts';
import { writeBackup, type BackupEnd } from '#controller/operating/write-backup.ts';
import { AppError } from '#core/app-error.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { openNew, refuseExisting } from '../new-file.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { withStoredData } from './with-stored-data.ts';

export interface BackupOptions {
  json?: true;
  verbose?: true;
}

/** Writes the backup beside the file, and gives it its name once it is whole. */
export async function runBackup(file: string, { json, verbose }: BackupOptions): Promise<void> {
  using interrupts = watchInterrupts();
  const { signal } = interrupts;
  await refuseExisting(file);
  const part = `${file}.part`;
  try {
    const end = await withStoredData({ isVerbose: verbose === true, signal }, async ({ pool, place }) => {
      await using handle = await openNew(part);
      return await writeBackup({ pool, place, file: handle, nowEpochMs: epochClock(), signal });
    });
    await refuseExisting(file);
    await renameForGood(part, file);
    process.stdout.write(json ? `${JSON.stringify(end)}\n` : `${file}: ${describeBackup(end)}\n`);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

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
    if (!(await stat(file)).isFile()) throw new Error('it is no regular file, and a backup is read twice');
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const end = await withStoredData({ isVerbose: verbose === true, signal }, ({ pool, place, log }) =>
    restoreBackup({ pool, place, file, replaces: replace === true, log, signal }),
  );
  process.stdout.write(json ? `${JSON.stringify(end)}\n` : `Restored ${describeBackup(end)}\n`);
}

/** `3 Runs, 36 Visits, 36 Snapshots and 2 files`. */
function describeBackup({ rows, artefacts }: BackupEnd): string {
  const counts = (['run', 'visit', 'snapshot'] as const).map((table) => {
    const count = rows[table] ?? 0;
    return `${count} ${table[0]!.toUpperCase()}${table.slice(1)}${count === 1 ? '' : 's'}`;
  });
  return `${counts.join(', ')} and ${artefacts} ${artefacts === 1 ? 'file' : 'files'}`;
}
