/** A stretch of a trace in memory, as bytes and as a view of the same bytes. */
export interface Chunk {
  bytes: Uint8Array;
  view: DataView;
}

export function viewChunk(bytes: Uint8Array): Chunk {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** A trace is a sequence of units: a header, a packet with its header, a block. */
export interface TraceFormat {
  /**
   * Bytes of the unit at `offset`. A number above `availableBytes` says how many must be there before it is asked again.
   * Throws `corrupt-trace` when no unit can begin like this.
   */
  measureUnit(chunk: Chunk, offset: number, availableBytes: number): number;
  /** Reads one whole unit. Throws `corrupt-trace`. */
  readUnit(chunk: Chunk, offset: number, unitBytes: number): void;
}

/** The largest packet that a trace may hold, as in libpcap (MAXIMUM_SNAPLEN) and Wireshark: beyond it a length is taken for damage. */
export const maximumPacketBytes = 262_144;
