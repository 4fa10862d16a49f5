import { writeSnapshot, type SnapshotForm, type StoredSnapshot } from './written-snapshot.ts';

/** The Controller holds and sends all of it. Columns name each field once, and objects every time. A page of 50,000 requests has half. */
const mostCharacters = 128 * 1024 * 1024;

export interface SnapshotToWrite {
  stored: StoredSnapshot;
  form: SnapshotForm;
}

export type WrittenSnapshot = { kind: 'text'; text: string } | { kind: 'problem'; problem: string };

process.on('message', (order: SnapshotToWrite) => process.send!(write(order)));
// The Controller is gone.
process.on('disconnect', () => process.exit());

function write({ stored, form }: SnapshotToWrite): WrittenSnapshot {
  try {
    const text = writeSnapshot(stored, form);
    return text.length > mostCharacters
      ? { kind: 'problem', problem: `It has more than ${mostCharacters} characters as it is written` }
      : { kind: 'text', text };
  } catch (error) {
    return { kind: 'problem', problem: (error as Error).message.slice(0, 1000) };
  }
}
