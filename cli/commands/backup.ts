import { Command } from 'commander';
import type { BackupOptions, RestoreOptions } from '../backup/run-backup.ts';

/** `backup FILE`: all that this machine's Controller keeps. */
export function backupCommand(): Command {
  return new Command('backup')
    .summary('Save the database, traces and pictures')
    .description(
      'Save the database, traces and pictures in one tar file. The Controller may run meanwhile. The database is the embedded one, or that of DATABASE_URL. The file has hashes of passwords and tokens: keep it as safe as the database.',
    )
    .argument('<FILE>', 'a new file, such as http-ae.tar')
    .option('--json', 'print one JSON document: rows by table, and the number of files')
    .action(async (file: string, options: BackupOptions) => {
      const { runBackup } = await import('../backup/run-backup.ts');
      await runBackup(file, options);
    });
}

/** `restore FILE`: what `backup` saved. */
export function restoreCommand(): Command {
  return new Command('restore')
    .summary('Restore what "backup" saved')
    .description(
      'Restore a backup into an empty database and home folder. Stop the Controller first. A backup of an earlier version is brought up to date.',
    )
    .argument('<FILE>', 'the file that "backup" wrote')
    .option('--replace', 'delete what the database and the home folder have, once all of the backup is restored')
    .option('--json', 'print one JSON document: rows by table, and the number of files')
    .action(async (file: string, options: RestoreOptions) => {
      const { runRestore } = await import('../backup/run-backup.ts');
      await runRestore(file, options);
    });
}
