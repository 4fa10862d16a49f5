import { Fifo } from '../fifo.ts';
import type { PacketQueue, WaitingPacket } from './packet-queue.ts';

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
