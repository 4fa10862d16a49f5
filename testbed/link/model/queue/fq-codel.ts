import { largestFrameBytes } from '#core/evaluation/network/link-profile.ts';
import { Fifo } from '../fifo.ts';
import { CodelQueue, type CodelSettings } from './codel.ts';
import type { OnDrop, PacketQueue, WaitingPacket } from './drop-tail-queue.ts';

export interface FqCodelOptions<Packet> extends CodelSettings {
  /** Of all flows together. */
  limitBytes: number;
  /** A number of a packet's flow, the same for all packets of a flow. */
  flowOf: (packet: Packet) => number;
  onDrop: OnDrop<Packet>;
}

interface Flow<Packet> {
  queue: CodelQueue<Packet>;
  /** What it may still send in its turn. */
  creditBytes: number;
  list: 'new' | 'old' | null;
}

/** RFC 8290, 5.2.2 and 5.2.3. */
const quantumBytes = largestFrameBytes;
const flowCount = 1024;
/** RFC 8290, 4.1: half of the fattest flow, and at most this many packets at once. */
const mostDroppedAtOnce = 64;

/**
 * A queue for each flow, which send in turn by bytes (deficit round robin), each under Controlled Delay: RFC 8290. Flows that begin, or send
 * little, go before those that have a queue. When all together are beyond the limit, the flow with most bytes loses packets from its head.
 */
export class FqCodelQueue<Packet> implements PacketQueue<Packet> {
  readonly #options: FqCodelOptions<Packet>;
  readonly #flows = new Map<number, Flow<Packet>>();
  readonly #lists = { new: new Fifo<Flow<Packet>>(), old: new Fifo<Flow<Packet>>() };
  #packets = 0;
  #bytes = 0;

  constructor(options: FqCodelOptions<Packet>) {
    this.#options = options;
  }

  get packets(): number {
    return this.#packets;
  }

  get bytes(): number {
    return this.#bytes;
  }

  hasRoom(): boolean {
    return true; // another packet makes it
  }

  add(waiting: WaitingPacket<Packet>): void {
    const flow = this.#flowOf(waiting.packet);
    flow.queue.add(waiting);
    this.#packets += 1;
    this.#bytes += waiting.sizeBytes;
    if (flow.list === null) {
      flow.creditBytes = quantumBytes;
      this.#append(flow, 'new');
    }
    if (this.#bytes > this.#options.limitBytes) this.#dropFromFattest();
  }

  take(atMs: number): WaitingPacket<Packet> | undefined {
    for (let flow = this.#first(); flow; flow = this.#first()) {
      if (flow.creditBytes <= 0) {
        flow.creditBytes += quantumBytes;
        this.#move(flow, 'old');
        continue;
      }
      const next = flow.queue.take(atMs);
      if (next) {
        flow.creditBytes -= next.sizeBytes;
        this.#subtract(next);
        return next;
      }
      // So a flow cannot stay ahead by coming back as a new one each time that it is empty.
      this.#move(flow, flow.list === 'new' ? 'old' : null);
    }
    return undefined;
  }

  clear(): WaitingPacket<Packet>[] {
    const all = [...this.#flows.values()].flatMap(({ queue }) => queue.clear());
    for (const list of Object.values(this.#lists)) while (list.take());
    this.#flows.clear();
    this.#packets = 0;
    this.#bytes = 0;
    return all.toSorted((a, b) => a.arrivedMs - b.arrivedMs);
  }

  #flowOf(packet: Packet): Flow<Packet> {
    const number = this.#options.flowOf(packet) % flowCount;
    const known = this.#flows.get(number);
    if (known) return known;
    const queue = new CodelQueue<Packet>({
      ...this.#options,
      limitBytes: Infinity,
      onDrop: (dropped) => this.#drop(dropped),
    });
    const flow: Flow<Packet> = { queue, creditBytes: 0, list: null };
    this.#flows.set(number, flow);
    return flow;
  }

  #first(): Flow<Packet> | undefined {
    return this.#lists.new.peek() ?? this.#lists.old.peek();
  }

  /** Of the flow that is first in its list. */
  #move(flow: Flow<Packet>, to: 'old' | null): void {
    if (flow.list !== null) this.#lists[flow.list].take();
    flow.list = null;
    if (to !== null) this.#append(flow, to);
  }

  #append(flow: Flow<Packet>, list: 'new' | 'old'): void {
    flow.list = list;
    this.#lists[list].add(flow);
  }

  #dropFromFattest(): void {
    let fattest: Flow<Packet> | null = null;
    for (const flow of this.#flows.values()) if (flow.queue.bytes > (fattest?.queue.bytes ?? 0)) fattest = flow;
    if (!fattest) return;
    const count = Math.min(mostDroppedAtOnce, Math.max(1, Math.floor(fattest.queue.packets / 2)));
    for (const dropped of fattest.queue.dropFirst(count)) this.#drop(dropped);
  }

  #drop(dropped: WaitingPacket<Packet>): void {
    this.#subtract(dropped);
    this.#options.onDrop(dropped);
  }

  #subtract({ sizeBytes }: WaitingPacket<Packet>): void {
    this.#packets -= 1;
    this.#bytes -= sizeBytes;
  }
}
