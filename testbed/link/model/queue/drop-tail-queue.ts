import { Fifo } from '../fifo.ts';

/** First in, first out. What finds no room is dropped. */
export class DropTailQueue<Packet> implements PacketQueue<Packet> {
  readonly #waiting = new Fifo<WaitingPacket<Packet>>();
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get packets(): number {
    return this.#waiting.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  hasRoom(sizeBytes: number): boolean {
    return this.#bytes + sizeBytes <= this.#limitBytes;
  }

  add(waiting: WaitingPacket<Packet>): void {
    this.#waiting.add(waiting);
    this.#bytes += waiting.sizeBytes;
  }

  take(): WaitingPacket<Packet> | undefined {
    const next = this.#waiting.take();
    if (next) this.#bytes -= next.sizeBytes;
    return next;
  }

  clear(): WaitingPacket<Packet>[] {
    const all: WaitingPacket<Packet>[] = [];
    for (let next = this.take(); next; next = this.take()) all.push(next);
    return all;
  }
}

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
