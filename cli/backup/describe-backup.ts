import type { BackupEnd } from '#controller/operating/backup-format.ts';

/** `3 Runs, 36 Visits, 36 Snapshots and 2 files`. */
export function describeBackup({ rows, artefacts }: BackupEnd): string {
  const counts = (['run', 'visit', 'snapshot'] as const).map((table) => {
    const count = rows[table] ?? 0;
    return `${count} ${table[0]!.toUpperCase()}${table.slice(1)}${count === 1 ? '' : 's'}`;
  });
  return `${counts.join(', ')} and ${artefacts} ${artefacts === 1 ? 'file' : 'files'}`;
}
