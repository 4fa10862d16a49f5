import { deriveReadings } from '#core/metrics/index.ts';
import type { Filmstrip } from '#core/protocol/filmstrip.ts';
import type { VisitRefusal } from '#core/protocol/visit-refusal.ts';
import { readSnapshot, SnapshotTooLargeError } from '../visits/compressed-snapshot.ts';
import { describeSnapshot, type SnapshotColumns } from '../visits/snapshot-columns.ts';

/** A Snapshot as its Agent compressed it, and the film of its Visit. */
export interface SnapshotToRead {
  snapshot: Uint8Array;
  filmstrip: Filmstrip | null;
}

/** What is stored of a Snapshot, or why its Visit is not. */
export type Derivation =
  | { kind: 'derived'; described: SnapshotColumns }
  | { kind: 'refused'; code: Extract<VisitRefusal, 'unreadable' | 'too-large'>; problem: string };

process.on('message', (snapshots: readonly SnapshotToRead[]) => process.send!(snapshots.map(derive)));
// The Controller is gone.
process.on('disconnect', () => process.exit());

function derive({ snapshot: compressed, filmstrip }: SnapshotToRead): Derivation {
  try {
    const snapshot = readSnapshot(compressed);
    return { kind: 'derived', described: describeSnapshot(snapshot, deriveReadings(snapshot, filmstrip)) };
  } catch (error) {
    const code = error instanceof SnapshotTooLargeError ? 'too-large' : 'unreadable';
    return { kind: 'refused', code, problem: (error as Error).message.slice(0, 1000) };
  }
}
