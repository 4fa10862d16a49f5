import { z } from 'zod';
import { LinkDirectionSchema, type LinkDirection } from '#core/evaluation/network/link-profile.ts';
import { mostHosts } from '#core/site/site.ts';
import { LinkModel, type LinkCounts } from '../../link/model/link-model.ts';
import { openPacketPort, type PacketPort } from '../../link/userspace/packet-port.ts';
import { PreciseTimer } from '../../link/userspace/precise-timer.ts';
import { ArrivalClock } from '../../link/userspace/relay.ts';

const ethernetBytes = 14;
const ipv4 = 0x0800;
/** In the header of IPv4 (RFC 791, 3.1). */
const addressOffsets = { source: 12, destination: 16 } as const;

/** The address of IPv4 that a frame comes from or goes to; null for what is no IPv4. */
export function readAddress(frame: Buffer, end: keyof typeof addressOffsets): string | null {
  if (frame.length < ethernetBytes + 20 || frame.readUInt16BE(12) !== ipv4) return null;
  const start = ethernetBytes + addressOffsets[end];
  return frame.subarray(start, start + 4).join('.');
}

interface HostRelayOptions {
  /** Where the packets of this direction come from. */
  source: { interface: string; mac: string };
  /** Which address of a packet is that of the host. */
  host: keyof typeof addressOffsets;
  random: () => number;
}

/** One direction between `ground` and the hosts, each with a link of its own. What belongs to no host that has a distance passes at once. */
export class HostRelay {
  readonly port: PacketPort;
  readonly #random: () => number;
  readonly #clock = new ArrivalClock();
  readonly #timer = new PreciseTimer(() => this.#deliver());
  #models = new Map<string, LinkModel<Buffer>>();
  #target: PacketPort | null = null;
  #refusedPackets = 0;

  constructor({ source, host, random }: HostRelayOptions) {
    this.#random = random;
    this.port = openPacketPort({
      interface: source.interface,
      sourceMac: source.mac,
      onFrame: (frame, stampEpochMs) => this.#accept(frame, { stampEpochMs, address: readAddress(frame, host) }),
    });
  }

  /** Where the packets leave: until this is known, none is taken. */
  leadTo(target: PacketPort): void {
    this.#target = target;
  }

  /** From now on these hosts have these distances, and no others have any. What was on the way to one is lost. */
  apply(distances: readonly Distance[]): void {
    const startMs = performance.now();
    const open = (direction: LinkDirection) => new LinkModel<Buffer>({ direction, random: this.#random, startMs });
    this.#models = new Map(distances.map(({ address, direction }) => [address, open(direction)]));
    this.#timer.set(Infinity);
  }

  countsOf(address: string): Readonly<LinkCounts> {
    return this.#models.get(address)!.counts;
  }

  /** Since the process began: those that came too fast to be read, and those that the kernel refused when they were to leave. */
  get missedPackets(): number {
    return this.port.statistics().missedPackets + this.#refusedPackets;
  }

  #send(frame: Buffer): void {
    if (this.#target?.send(frame) === false) this.#refusedPackets += 1;
  }

  #accept(frame: Buffer, { stampEpochMs, address }: { stampEpochMs: number; address: string | null }): void {
    const model = address === null ? undefined : this.#models.get(address);
    if (model === undefined) {
      this.#send(frame);
      return;
    }
    const atMs = this.#clock.arrivalMs(stampEpochMs, performance.now());
    model.arrive(frame, { sizeBytes: frame.length, atMs });
    this.#deliver();
  }

  #deliver(): void {
    let nextMs = Infinity;
    for (const model of this.#models.values()) {
      for (const { packet } of model.take(performance.now())) this.#send(packet);
      nextMs = Math.min(nextMs, model.nextEventMs());
    }
    this.#timer.set(nextMs);
  }
}

const SourceSchema = z.strictObject({ interface: z.string(), mac: z.string() });

/** What the process of the distances is started with, as JSON in its only argument: the sides of `ground` and of `hosts`. */
export const DistanceOptionsSchema = z.strictObject({ ground: SourceSchema, hosts: SourceSchema });
export type DistanceOptions = z.infer<typeof DistanceOptionsSchema>;

/** Of one host, the same in both directions. */
const DistanceSchema = z.strictObject({ address: z.ipv4(), direction: LinkDirectionSchema });
export type Distance = z.infer<typeof DistanceSchema>;

export const DistanceOrderSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('apply'), distances: z.array(DistanceSchema).max(mostHosts) }),
  z.strictObject({ kind: z.literal('read-statistics') }),
]);
export type DistanceOrder = z.infer<typeof DistanceOrderSchema>;

const count = z.number();
const DirectionCountsSchema = z.object({
  arrivedPackets: count,
  deliveredPackets: count,
  droppedPackets: count,
  lostPackets: count,
});

const MissedSchema = z.object({ missedPackets: count });

/** The answer to every order: what happened to the packets of each host that has a distance, to the users (`forward`) and from them, and how many this machine lost of all. */
export const DistanceStatisticsSchema = z.object({
  hosts: z.array(DistanceSchema.extend({ forward: DirectionCountsSchema, return: DirectionCountsSchema })),
  missed: z.object({ forward: MissedSchema, return: MissedSchema }),
});
export type DistanceStatistics = z.infer<typeof DistanceStatisticsSchema>;
