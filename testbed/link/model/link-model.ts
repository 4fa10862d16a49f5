import { type LinkDirection, burstChances } from '#core/evaluation/network/link-profile.ts';
import type { CapacityUse } from './capacity-count.ts';
import { Fifo } from './fifo.ts';
import { openRateSource } from './open-rate-source.ts';
import type { RateSource } from './on-demand-rate.ts';
import { assertNever } from '#core/assert-never.ts';
import { CodelQueue } from './queue/codel.ts';
import { DropTailQueue, type PacketQueue, type WaitingPacket, type OnDrop } from './queue/drop-tail-queue.ts';
import { FqCodelQueue } from './queue/fq-codel.ts';

/** What has happened to the packets of one direction. */
export interface LinkCounts {
  arrivedPackets: number;
  arrivedBytes: number;
  deliveredPackets: number;
  deliveredBytes: number;
  /** Found no room in the queue, or were dropped from it. */
  droppedPackets: number;
  droppedBytes: number;
  /** Lost after they were sent. */
  lostPackets: number;
  lostBytes: number;
}

export interface LinkModelOptions<Packet> {
  direction: LinkDirection;
  /** Uniform in [0, 1). */
  random: () => number;
  startMs: number;
  /** A number of the flow of a packet, for queues that know flows. Without it, all packets are of one. */
  flowOf?: (packet: Packet) => number;
}

/** A packet that ends with a segment, computed, may end after it by a rounding. */
const roundingMs = 1e-6;

/**
 * One direction of the link on a clock of its own making: queue, drop-tail or managed → serialisation at the rate → random loss, alone or in bursts →
 * fixed delay, with jitter that never reorders. Its owner says what time it is; nothing here waits.
 */
export class LinkModel<Packet> {
  readonly #random: () => number;
  #direction: LinkDirection;
  #rate: RateSource;
  #isNextLost: LossSource;
  readonly #flowOf: (packet: Packet) => number;
  #queue: PacketQueue<Packet>;
  #longestQueueBytes = 0;
  #sending: (WaitingPacket<Packet> & { remainingBits: number }) | null = null;
  /** Up to where the sending is worked out. */
  #sentUntilMs: number;
  readonly #flying = new Fifo<WaitingPacket<Packet> & { dueMs: number }>();
  #lastDueMs = -Infinity;
  readonly #counts: LinkCounts = {
    arrivedPackets: 0,
    arrivedBytes: 0,
    deliveredPackets: 0,
    deliveredBytes: 0,
    droppedPackets: 0,
    droppedBytes: 0,
    lostPackets: 0,
    lostBytes: 0,
  };

  constructor({ direction, random, startMs, flowOf = () => 0 }: LinkModelOptions<Packet>) {
    this.#flowOf = flowOf;
    this.#queue = this.#openQueue(direction);
    this.#direction = direction;
    this.#random = random;
    this.#rate = openRateSource(direction.rate, startMs);
    this.#isNextLost = openLossSource(direction, random);
    this.#sentUntilMs = startMs;
  }

  get counts(): Readonly<LinkCounts> {
    return this.#counts;
  }

  /** From `atMs` on, a trace begins again, and capacity that is assigned on demand is counted. */
  beginRound(atMs: number): void {
    this.#send(atMs);
    this.#rate.beginRound?.(Math.max(atMs, this.#sentUntilMs));
  }

  /** Null where no capacity is assigned. */
  capacityUse(atMs: number): CapacityUse | null {
    this.#send(atMs);
    return this.#rate.capacityUse?.(Math.max(atMs, this.#sentUntilMs)) ?? null;
  }

  /** What waits behind the packet that is being sent, now and at the most since the profile was applied. */
  get queue(): { packets: number; bytes: number; longestBytes: number } {
    return { packets: this.#queue.packets, bytes: this.#queue.bytes, longestBytes: this.#longestQueueBytes };
  }

  /**
   * Changes what the link does from `atMs` on. Packets stay where they are: what waits is sent at the new rate (the packet
   * that is being sent too), what flies keeps its time, and what comes later is not delivered before it.
   */
  apply(direction: LinkDirection, atMs: number): void {
    this.#send(atMs);
    this.#direction = direction;
    this.#rate = openRateSource(direction.rate, atMs);
    const waiting = this.#queue.clear();
    this.#queue = this.#openQueue(direction);
    for (const each of waiting) this.#queue.add(each);
    this.#longestQueueBytes = this.#queue.bytes;
    this.#isNextLost = openLossSource(direction, this.#random);
    this.#sentUntilMs = Math.max(this.#sentUntilMs, atMs);
    const waitingBytes = this.#queue.bytes + (this.#sending?.remainingBits ?? 0) / 8;
    if (waitingBytes > 0) this.#rate.noteArrival?.(waitingBytes, this.#sentUntilMs);
  }

  /** A packet comes to the link's entrance. */
  arrive(packet: Packet, { sizeBytes, atMs }: { sizeBytes: number; atMs: number }): 'accepted' | 'dropped' {
    this.#send(atMs);
    this.#counts.arrivedPackets += 1;
    this.#counts.arrivedBytes += sizeBytes;
    if (this.#sending && !this.#queue.hasRoom(sizeBytes)) {
      this.#counts.droppedPackets += 1;
      this.#counts.droppedBytes += sizeBytes;
      return 'dropped';
    }
    this.#rate.noteArrival?.(sizeBytes, Math.max(atMs, this.#sentUntilMs));
    if (this.#sending) {
      this.#queue.add({ packet, sizeBytes, arrivedMs: atMs });
      this.#longestQueueBytes = Math.max(this.#longestQueueBytes, this.#queue.bytes);
    } else {
      this.#sentUntilMs = Math.max(this.#sentUntilMs, atMs);
      this.#sending = { packet, sizeBytes, arrivedMs: atMs, remainingBits: sizeBytes * 8 };
    }
    return 'accepted';
  }

  /** When to look again: the next packet is due, or, when none flies, one may be sent by then. Infinity when nothing is on the link. */
  nextEventMs(): number {
    const flying = this.#flying.peek();
    if (flying) return flying.dueMs; // no other is due before it
    return this.#sending ? this.#sendsUntil(this.#sending.remainingBits).untilMs : Infinity;
  }

  /** The packets that leave the link up to that time, in the order in which they came. */
  take(untilMs: number): { packet: Packet; dueMs: number }[] {
    this.#send(untilMs);
    const delivered: { packet: Packet; dueMs: number }[] = [];
    for (let next = this.#flying.peek(); next && next.dueMs <= untilMs; next = this.#flying.peek()) {
      this.#flying.take();
      this.#counts.deliveredPackets += 1;
      this.#counts.deliveredBytes += next.sizeBytes;
      delivered.push({ packet: next.packet, dueMs: next.dueMs });
    }
    return delivered;
  }

  /** Sends what can be sent up to that time. */
  #send(untilMs: number): void {
    while (this.#sending) {
      const { kbps, untilMs: stepMs, isLast } = this.#sendsUntil(this.#sending.remainingBits);
      const toMs = Math.max(this.#sentUntilMs, Math.min(stepMs, untilMs));
      const isSent = isLast && stepMs <= untilMs;
      const bits = isSent
        ? this.#sending.remainingBits
        : toMs > this.#sentUntilMs
          ? (toMs - this.#sentUntilMs) * kbps
          : 0;
      this.#rate.noteSent?.(bits);
      this.#sending.remainingBits -= bits;
      this.#sentUntilMs = toMs;
      if (isSent) this.#launch(this.#sending);
      else if (stepMs > untilMs) return;
    }
  }

  /** The next step of the sending: to the packet's last bit, or to a change of the rate before that. */
  #sendsUntil(remainingBits: number): { kbps: number; untilMs: number; isLast: boolean } {
    const { kbps, untilMs } = this.#rate.segmentAt(this.#sentUntilMs);
    const endMs = this.#sentUntilMs + Math.max(0, remainingBits) / kbps;
    const isLast = endMs <= untilMs + roundingMs;
    return { kbps, untilMs: Math.min(endMs, untilMs), isLast };
  }

  /** The packet is sent, and the next one's turn. */
  #launch({ packet, sizeBytes, arrivedMs }: WaitingPacket<Packet>): void {
    const { delayMs, jitterMs } = this.#direction;
    const next = this.#queue.take(this.#sentUntilMs);
    this.#sending = next ? { ...next, remainingBits: next.sizeBytes * 8 } : null;

    if (this.#isNextLost()) {
      this.#counts.lostPackets += 1;
      this.#counts.lostBytes += sizeBytes;
      return;
    }
    const jitter = jitterMs > 0 ? (2 * this.#random() - 1) * jitterMs : 0;
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#sentUntilMs + delayMs + jitter);
    this.#flying.add({ packet, sizeBytes, arrivedMs, dueMs: this.#lastDueMs });
  }

  #openQueue(direction: LinkDirection): PacketQueue<Packet> {
    return openQueue(direction, {
      flowOf: this.#flowOf,
      onDrop: ({ sizeBytes }) => {
        this.#counts.droppedPackets += 1;
        this.#counts.droppedBytes += sizeBytes;
        this.#rate.noteDropped?.(sizeBytes);
      },
    });
  }
}

/** The queue of a direction. `flowOf` numbers the flow of a packet. */
function openQueue<Packet>(
  { queueBytes: limitBytes, queue }: Pick<LinkDirection, 'queueBytes' | 'queue'>,
  { flowOf, onDrop }: { flowOf: (packet: Packet) => number; onDrop: OnDrop<Packet> },
): PacketQueue<Packet> {
  if (queue === undefined) return new DropTailQueue(limitBytes);
  const { kind, targetMs, intervalMs } = queue;
  switch (kind) {
    case 'codel':
      return new CodelQueue({ limitBytes, targetMs, intervalMs, onDrop });
    case 'fq-codel':
      return new FqCodelQueue({ limitBytes, targetMs, intervalMs, flowOf, onDrop });
    default:
      return assertNever(kind);
  }
}

/** Decides of one packet after another whether it is lost. */
type LossSource = () => boolean;

/**
 * Each loss independent of the others, or in bursts: a chain of two states (Gilbert 1960) that loses every packet in the bad state and none
 * in the good one. As in netem, it begins in the good state, and a packet has the state that the one before it led to.
 * `random` is uniform in [0, 1), and read once for each packet where packets are lost at all.
 */
export function openLossSource(
  { lossRatio, lossBurstPackets }: Pick<LinkDirection, 'lossRatio' | 'lossBurstPackets'>,
  random: () => number,
): LossSource {
  if (lossRatio <= 0) return () => false;
  if (lossBurstPackets === null) return () => random() < lossRatio;
  const { begin, end } = burstChances(lossRatio, lossBurstPackets);
  let isBad = false;
  return () => {
    const isLost = isBad;
    if (random() < (isBad ? end : begin)) isBad = !isBad;
    return isLost;
  };
}
