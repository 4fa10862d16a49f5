import type { LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { LinkModel } from '../model/link-model.ts';
import { ArrivalClock } from './arrival-clock.ts';
import type { UserspaceStatistics } from './link-messages.ts';
import { hashFlow } from './hash-flow.ts';
import { openPacketPort, type PacketPort } from './packet-port.ts';
import { PreciseTimer } from './precise-timer.ts';

export interface RelayOptions {
  /** Where the packets of this direction come from. */
  source: { interface: string; mac: string };
  direction: LinkDirection;
  random: () => number;
  /** Of the hash of flows. */
  seed: number;
}

/** One direction of the link with real packets and a real clock. */
export class Relay {
  readonly port: PacketPort;
  readonly #model: LinkModel<Buffer>;
  readonly #clock = new ArrivalClock();
  readonly #timer = new PreciseTimer(() => this.#deliver());
  #target: PacketPort | null = null;
  #latenessMs = { sum: 0, max: 0 };

  constructor({ source, direction, random, seed }: RelayOptions) {
    const flowOf = (frame: Buffer) => hashFlow(frame, seed);
    this.#model = new LinkModel({ direction, random, startMs: performance.now(), flowOf });
    this.port = openPacketPort({
      interface: source.interface,
      sourceMac: source.mac,
      onFrame: (frame, stampEpochMs) => this.#accept(frame, stampEpochMs),
    });
  }

  /** Where the packets leave: until this is known, none is taken. */
  leadTo(target: PacketPort): void {
    this.#target = target;
  }

  apply(direction: LinkDirection): void {
    this.#model.apply(direction, performance.now());
    this.#latenessMs.max = 0;
    this.#timer.set(this.#model.nextEventMs());
  }

  beginCapacity(): void {
    this.#model.beginCapacity(performance.now());
  }

  statistics(): UserspaceStatistics['forward'] {
    const { counts, queue } = this.#model;
    return {
      ...counts,
      capacity: this.#model.capacityUse(performance.now()),
      queuedPackets: queue.packets,
      queuedBytes: queue.bytes,
      longestQueueBytes: queue.longestBytes,
      missedPackets: this.port.statistics().missedPackets,
      meanLatenessMs: counts.deliveredPackets === 0 ? 0 : this.#latenessMs.sum / counts.deliveredPackets,
      maxLatenessMs: this.#latenessMs.max,
    };
  }

  #accept(frame: Buffer, stampEpochMs: number): void {
    const atMs = this.#clock.arrivalMs(stampEpochMs, performance.now());
    this.#model.arrive(frame, { sizeBytes: frame.length, atMs });
    this.#deliver();
  }

  #deliver(): void {
    const nowMs = performance.now();
    for (const { packet, dueMs } of this.#model.take(nowMs)) {
      this.#target?.send(packet);
      const latenessMs = performance.now() - dueMs;
      this.#latenessMs.sum += latenessMs;
      this.#latenessMs.max = Math.max(this.#latenessMs.max, latenessMs);
    }
    this.#timer.set(this.#model.nextEventMs());
  }
}
