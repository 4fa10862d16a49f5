import { toColumns } from '#core/columns/to-columns.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';

/** A Snapshot as it is kept, sent and stored: a page of 100 objects takes a twentieth of its JSON. */
export async function compressSnapshot(snapshot: Snapshot): Promise<Uint8Array<ArrayBuffer>> {
  const json = new Blob([JSON.stringify(toColumns(snapshot))]).stream();
  return new Uint8Array(await new Response(json.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}
