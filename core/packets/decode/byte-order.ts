/** Network byte order. A Uint8Array read so is quicker than a DataView made for every packet. */
export function readUint16(bytes: Uint8Array, offset: number): number {
  return (bytes[offset]! << 8) | bytes[offset + 1]!;
}

/** As a signed number, which stays a small integer: fit for equality and for differences of sequence numbers. */
export function readInt32(bytes: Uint8Array, offset: number): number {
  return (bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!;
}
