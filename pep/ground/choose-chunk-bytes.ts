import { segmentBytes } from '../pacer/count-wire-bytes.ts';
import { headerBytes } from '../tunnel/frame.ts';

/** A chunk takes the link about so long: another user waits no longer than that. */
const chunkMs = 5;
const maxChunkBytes = 16_384;

/** A segment on slow links; more on fast ones, where each chunk costs time of the processor. */
export function chooseChunkBytes(linkKbps: number | null): number {
  if (linkKbps === null) return maxChunkBytes;
  const segments = Math.max(1, Math.floor(((linkKbps / 8) * chunkMs) / segmentBytes));
  return Math.min(maxChunkBytes, segments * segmentBytes - headerBytes);
}
