/** Bytes of TCP above IP in a segment of Ethernet: 1500 less the headers of IP (20) and TCP with timestamps (32). */
export const segmentBytes = 1448;
/** Ethernet (14), IP (20), TCP with timestamps (32). */
const headerBytes = 66;

/** What the link carries for these bytes above TCP, sent in segments as long as can be. */
export function countWireBytes(bytes: number): number {
  return bytes + headerBytes * Math.ceil(bytes / segmentBytes);
}
