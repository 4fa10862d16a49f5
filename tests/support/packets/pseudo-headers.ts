/** Headers of capturing programs, by link type: as they must be for `capinfos` to read the packet of 40 bytes behind them. */
export const pseudoHeaders: readonly { linkType: number; name: string; header: Uint8Array }[] = [
  { linkType: 123, name: 'SunATM', header: Uint8Array.of(0x02, 0, 0, 5) },
  { linkType: 139, name: 'MTP2', header: Uint8Array.of(1, 2, 0, 7) },
  { linkType: 144, name: 'Linux IrDA', header: cooked(0x17) },
  { linkType: 177, name: 'Linux LAPD', header: cooked(0x30) },
  { linkType: 196, name: 'SITA', header: Uint8Array.of(1, 0, 0, 0, 1) },
  { linkType: 197, name: 'ERF of HDLC', header: erf(1, []) },
  { linkType: 197, name: 'ERF of Ethernet', header: erf(2, [], 2) },
  { linkType: 197, name: 'ERF of several channels', header: erf(5, [], 4) },
  { linkType: 197, name: 'ERF of AAL2', header: erf(18, [], 4) },
  { linkType: 197, name: 'ERF with two extensions', header: erf(0x80 | 2, [0x83, 0x03], 2) },
  { linkType: 201, name: 'Bluetooth with direction', header: Uint8Array.of(0, 0, 0, 1) },
  { linkType: 204, name: 'PPP with direction', header: Uint8Array.of(1) },
  { linkType: 209, name: 'Linux I2C', header: Uint8Array.of(3, 0, 0, 0, 0) },
  { linkType: 254, name: 'Bluetooth of the monitor', header: Uint8Array.of(0, 0, 0, 2) },
];

/** As Linux' sockets give it, with the protocol at its end. */
function cooked(protocol: number): Uint8Array {
  return Uint8Array.of(0, 4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, protocol);
}

/** Of a packet of 40 bytes at 14 November 2023: time, type, flags, its length with all headers, losses, the packet's length. */
function erf(type: number, extensions: number[], subheaderBytes = 0): Uint8Array {
  const header = Buffer.alloc(16 + 8 * extensions.length + subheaderBytes);
  header.writeUInt32LE(1_700_000_000, 4);
  header[8] = type;
  header[9] = 4;
  header.writeUInt16BE(header.length + 40, 10);
  header.writeUInt16BE(40, 14);
  for (const [index, first] of extensions.entries()) header[16 + 8 * index] = first;
  return new Uint8Array(header);
}
