/** Elements of a WebM file that lead to its pictures. https://www.rfc-editor.org/rfc/rfc9559 */
const segment = 0x18538067;
const cluster = 0x1f43b675;
const blockGroup = 0xa0;
const timestamp = 0xe7;
const blocks = [0xa3, 0xa1];

/** The time of the last picture in a WebM file that is still being written, in ms; null where it has none yet. */
export function readCodedEnd(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [clusterMs, lastMs]: [number, number | null] = [0, null];
  for (let at = 0; at < bytes.length;) {
    const id = readNumber(view, at, { keepsMarker: true });
    const size = id && readNumber(view, at + id.length, { keepsMarker: false });
    if (!size) break;
    const start = at + id.length + size.length;
    const isOuter = id.value === segment || id.value === cluster || id.value === blockGroup;
    const end = isOuter ? start : start + size.value;
    if (end > bytes.length) break;
    if (id.value === timestamp) clusterMs = bytes.slice(start, end).reduce((sum, byte) => sum * 256 + byte, 0);
    // The number of the track has one byte; the time behind it counts from that of the cluster.
    if (blocks.includes(id.value) && size.value >= 3) lastMs = clusterMs + view.getInt16(start + 1);
    at = end;
  }
  return lastMs;
}

/** A number of EBML, whose first byte says how long it is; null where it is not whole, or none. */
function readNumber(
  view: DataView,
  at: number,
  { keepsMarker }: { keepsMarker: boolean },
): { value: number; length: number } | null {
  if (at >= view.byteLength) return null;
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > view.byteLength) return null;
  let value = keepsMarker ? first : first & (0xff >> length);
  for (let index = 1; index < length; index++) value = value * 256 + view.getUint8(at + index);
  return { value, length };
}
