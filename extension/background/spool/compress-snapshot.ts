import type { Snapshot } from '#core/metrics/snapshot.ts';

/** A Snapshot as it is kept, sent and stored: about a tenth of its JSON. */
export async function compressSnapshot(snapshot: Snapshot): Promise<Uint8Array<ArrayBuffer>> {
  const json = new Blob([JSON.stringify(snapshot)]).stream();
  return new Uint8Array(await new Response(json.pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}
