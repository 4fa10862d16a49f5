/** One packet as a trace holds it. The reader fills the same object for every packet: what is to stay must be copied during the call. */
export interface PacketRecord {
  /** The memory that the packet lies in, from `start` on. */
  bytes: Uint8Array;
  start: number;
  capturedBytes: number;
  /** Length on the wire; more than was captured where the snap length cut the packet. */
  originalBytes: number;
  linkType: number;
  /** Of the frame check sequence that each packet ends with. */
  checkBytes: number;
  /** False for the Simple Packet Blocks of pcapng, which carry no time. */
  hasTime: boolean;
  epochSeconds: number;
  nanoseconds: number;
  /** Decimal places of the second that the trace keeps, at most 9. */
  timeDigits: number;
}

export type PacketListener = (record: PacketRecord) => void;

export function makePacketRecord(): PacketRecord {
  return {
    bytes: new Uint8Array(0),
    start: 0,
    capturedBytes: 0,
    originalBytes: 0,
    linkType: 0,
    checkBytes: 0,
    hasTime: false,
    epochSeconds: 0,
    nanoseconds: 0,
    timeDigits: 0,
  };
}
