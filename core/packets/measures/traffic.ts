import type { AddressSet } from '../decode/address-set.ts';
import type { DecodedPacket } from '../decode/decoded-packet.ts';
import type { PacketRecord } from '../trace/packet-record.ts';
import { ByteSeriesAccumulator, type ByteSeries } from './byte-series.ts';
import { z } from 'zod';

export const TrafficSchema = z.object({ packets: z.int().nonnegative(), bytes: z.int().nonnegative() });
/** Packets, and their bytes on the wire with all headers. */
export type Traffic = z.infer<typeof TrafficSchema>;

/** An hour in bins of 100 ms. */
const maximumBins = 36_000;

/** Packets, bytes and throughput, in all and by direction relative to the local addresses. */
export class TrafficByWay {
  readonly #localAddresses: AddressSet | null;
  readonly #all = new ByteSeriesAccumulator(maximumBins);
  readonly #series = { sent: new ByteSeriesAccumulator(maximumBins), received: new ByteSeriesAccumulator(maximumBins) };
  readonly #totals = { sent: noTraffic(), received: noTraffic(), other: noTraffic() };

  constructor(localAddresses: AddressSet | null) {
    this.#localAddresses = localAddresses;
  }

  add(record: PacketRecord, packet: DecodedPacket, epochMs: number | null): Way {
    const way = findWay(record.bytes, packet, this.#localAddresses);
    addPacket(this.#totals[way], record.originalBytes);
    if (epochMs !== null) {
      this.#all.add(epochMs, record.originalBytes);
      if (way !== 'other') this.#series[way].add(epochMs, record.originalBytes);
    }
    return way;
  }

  finish(): {
    directions: { sent: Traffic; received: Traffic; other: Traffic } | null;
    throughput: { all: ByteSeries; sent: ByteSeries | null; received: ByteSeries | null };
  } {
    const all = this.#all.finish();
    if (this.#localAddresses === null) return { directions: null, throughput: { all, sent: null, received: null } };
    return {
      directions: this.#totals,
      throughput: { all, sent: this.#series.sent.finish(), received: this.#series.received.finish() },
    };
  }
}

export function noTraffic(): Traffic {
  return { packets: 0, bytes: 0 };
}

export function addPacket(traffic: Traffic, bytes: number): void {
  traffic.packets++;
  traffic.bytes += bytes;
}

/** Relative to the local addresses. `other` is neither or both: broadcasts, ARP. */
type Way = 'sent' | 'received' | 'other';

/** Which way a packet went; `other` where no local addresses are known. */
export function findWay(
  bytes: Uint8Array,
  { hasAddresses, ipVersion, sourceOffset, destinationOffset }: DecodedPacket,
  localAddresses: AddressSet | null,
): Way {
  if (localAddresses === null || !hasAddresses) return 'other';
  const addressBytes = ipVersion === 4 ? 4 : 16;
  const isFromHere = localAddresses.has(bytes, sourceOffset, addressBytes);
  const isToHere = localAddresses.has(bytes, destinationOffset, addressBytes);
  if (isFromHere === isToHere) return 'other';
  return isFromHere ? 'sent' : 'received';
}
