export interface WaitingPacket<Packet> {
  packet: Packet;
  sizeBytes: number;
  /** When it came to the queue. */
  arrivedMs: number;
}

/** What waits behind the packet that is being sent, and in which order it leaves. */
export interface PacketQueue<Packet> {
  readonly packets: number;
  readonly bytes: number;
  /** Whether a packet of that size may wait. */
  hasRoom(sizeBytes: number): boolean;
  add(waiting: WaitingPacket<Packet>): void;
  /** The next one to be sent at that time. */
  take(atMs: number): WaitingPacket<Packet> | undefined;
  /** Empties it, and returns what waited. */
  clear(): WaitingPacket<Packet>[];
}

/** Is called with each packet that is dropped after it was added. */
export type OnDrop<Packet> = (dropped: WaitingPacket<Packet>) => void;
