import { rename, rm } from 'node:fs/promises';
import { writeBackup } from '#controller/operating/write-backup.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { openNew, refuseExisting } from '../new-file.ts';
import { watchInterrupts } from '../watch-interrupts.ts';
import { describeBackup } from './describe-backup.ts';
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
    await rename(part, file);
    process.stdout.write(json ? `${JSON.stringify(end)}\n` : `${file}: ${describeBackup(end)}\n`);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
