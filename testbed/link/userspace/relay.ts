import type { LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { LinkModel } from '../model/link-model.ts';
import type { UserspaceStatistics } from './link-messages.ts';
import { openPacketPort, type PacketPort } from './packet-port.ts';
import { PreciseTimer } from './precise-timer.ts';

const ethernetBytes = 14;
const etherTypes = { ipv4: 0x0800, ipv6: 0x86dd } as const;
const protocolsWithPorts = [6, 17];
// TCP, UDP
/** FNV-1a, 32 bits. */
const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** Node reads the wall clock in whole milliseconds, rounded down. */
const coarseMs = 1.5;

/**
 * When packets came, on this process's monotonic clock. The kernel stamps each packet as it comes, by the wall clock; the
 * smallest difference ever seen between that and the time at which it was read is the offset of the two clocks (and the 20 µs or so
 * that reading takes at the least). So a packet that waited to be read, because the process had no CPU, is not late by that.
 */
export class ArrivalClock {
  #offsetMs = Infinity;

  /** When the packet that is read at `nowMs` came. `wallEpochMs` is read after that. */
  arrivalMs(stampEpochMs: number, nowMs: number, wallEpochMs = Date.now()): number {
    const differenceMs = nowMs - stampEpochMs;
    // The wall clock itself shows the offset, less finely. A smaller one is of before it was set back.
    const isOutdated = this.#offsetMs < nowMs - wallEpochMs - coarseMs;
    if (differenceMs < this.#offsetMs || isOutdated) this.#offsetMs = differenceMs;
    return Math.min(nowMs, stampEpochMs + this.#offsetMs);
  }
}

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
  /** By the kernel, when they were to leave. */
  readonly #refused = { packets: 0, bytes: 0 };

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

  beginRound(): void {
    this.#model.beginRound(performance.now());
    this.#timer.set(this.#model.nextEventMs());
  }

  statistics(): UserspaceStatistics['forward'] {
    const { counts, queue } = this.#model;
    return {
      ...counts,
      deliveredPackets: counts.deliveredPackets - this.#refused.packets,
      deliveredBytes: counts.deliveredBytes - this.#refused.bytes,
      droppedPackets: counts.droppedPackets + this.#refused.packets,
      capacity: this.#model.capacityUse(performance.now()),
      queuedPackets: queue.packets,
      queuedBytes: queue.bytes,
      longestQueueBytes: queue.longestBytes,
      missedPackets: this.port.statistics().missedPackets + this.#refused.packets,
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
      if (this.#target?.send(packet) === false) {
        this.#refused.packets += 1;
        this.#refused.bytes += packet.length;
      }
      const latenessMs = performance.now() - dueMs;
      this.#latenessMs.sum += latenessMs;
      this.#latenessMs.max = Math.max(this.#latenessMs.max, latenessMs);
    }
    this.#timer.set(this.#model.nextEventMs());
  }
}

/** A number of the flow of an Ethernet frame: of its IP addresses, protocol and, of TCP and UDP, ports. 0 for what is no IP. Fragments after the first have no ports. */
export function hashFlow(frame: Buffer, seed: number): number {
  if (frame.length < ethernetBytes + 40) return 0;
  const etherType = frame.readUInt16BE(12);
  const ip = frame.subarray(ethernetBytes);
  if (etherType === etherTypes.ipv4) {
    const isLaterFragment = (ip.readUInt16BE(6) & 0x1fff) !== 0;
    return hashParts(ip.subarray(12, 20), {
      protocol: ip[9]!,
      ports: isLaterFragment ? null : ip.subarray((ip[0]! & 0x0f) * 4),
      seed,
    });
  }
  if (etherType === etherTypes.ipv6)
    return hashParts(ip.subarray(8, 40), { protocol: ip[6]!, ports: ip.subarray(40), seed });
  return 0;
}

function hashParts(
  addresses: Buffer,
  { protocol, ports, seed }: { protocol: number; ports: Buffer | null; seed: number },
): number {
  const parts = [addresses, Buffer.of(protocol)];
  if (ports && ports.length >= 4 && protocolsWithPorts.includes(protocol)) parts.push(ports.subarray(0, 4));
  let hash = (offsetBasis ^ seed) >>> 0;
  for (const part of parts) for (const byte of part) hash = Math.imul(hash ^ byte, prime) >>> 0;
  // The low bits of FNV are weak alone.
  return (hash ^ (hash >>> 15)) >>> 0;
}
