import { captureStatisticsVersion, type CaptureStatistics } from './capture-statistics.ts';
import { AddressSet } from './decode/address-set.ts';
import { decodePacket, findCarrier, isDecoded, nameLinkType } from './decode/decode-packet.ts';
import { makeDecodedPacket, protocols } from './decode/decoded-packet.ts';
import { TraceTimes, formatEpochNs, computeRates } from './measures/trace-times.ts';
import { TrafficByWay } from './measures/traffic.ts';
import { TcpMeter, type PacketContext } from './tcp/tcp-meter.ts';
import type { PacketRecord } from './trace/packet-record.ts';
import { TraceReader } from './trace/trace-reader.ts';
import { UdpMeter } from './udp/udp-meter.ts';

/**
 * The statistics of one trace in one pass: push its bytes as they come, in chunks of any size, then finish. Memory grows with
 * the number of flows, not with the length of the trace. Throws `not-a-trace`, and `invalid-input` for a local address that is none.
 */
export class TraceMeter {
  readonly #reader = new TraceReader((record) => this.#add(record));
  readonly #decoded = makeDecodedPacket();
  readonly #context: PacketContext = { timeNs: 0, epochMs: null, way: 'other' };
  readonly #times = new TraceTimes();
  readonly #traffic: TrafficByWay;
  readonly #tcp = new TcpMeter();
  readonly #udp = new UdpMeter();
  readonly #linkTypes = new Map<number, number>();
  readonly #carriers = new Map<string, number>();
  readonly #totals = { packets: 0, dataBytes: 0, capturedBytes: 0, cutPackets: 0, malformedPackets: 0 };
  readonly #ip = { v4Packets: 0, v6Packets: 0, fragments: 0 };

  /** `localAddresses`: whose traffic is sent and received; without any, there are no directions. */
  constructor({ localAddresses = [] }: { localAddresses?: readonly string[] } = {}) {
    this.#traffic = new TrafficByWay(localAddresses.length === 0 ? null : new AddressSet(localAddresses));
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  /** After the last chunk. */
  finish(): CaptureStatistics {
    const end = this.#reader.end();
    const totals = this.#totals;
    const times = this.#times.finish();
    const linkTypes = [...this.#linkTypes].map(([type, packets]) => ({
      name: nameLinkType(type),
      isDecoded: isDecoded(type),
      packets,
    }));
    const { directions, throughput } = this.#traffic.finish();
    const isAnyDecoded = linkTypes.length === 0 || linkTypes.some((each) => each.isDecoded);
    return {
      version: captureStatisticsVersion,
      ...totals,
      startEpochNs: times === null ? null : formatEpochNs(times.start),
      endEpochNs: times === null ? null : formatEpochNs(times.end),
      timeDigits: { start: times?.start.timeDigits ?? 0, end: times?.end.timeDigits ?? 0 },
      ...computeRates(totals, times),
      meanPacketBytes: totals.packets === 0 ? null : totals.dataBytes / totals.packets,
      linkTypes,
      ...(this.#carriers.size > 0 && { carriers: [...this.#carriers].map(([name, packets]) => ({ name, packets })) }),
      directions,
      throughput,
      ip: isAnyDecoded ? this.#ip : null,
      tcp: isAnyDecoded ? this.#tcp.summarize() : null,
      udp: isAnyDecoded ? this.#udp.summarize() : null,
      repairs: directions === null || times === null ? null : this.#tcp.listRepairs(),
      connections: this.#tcp.listConnections({ areTimesKnown: times !== null }),
      udpFlows: this.#udp.listFlows({ areTimesKnown: times !== null }),
      damage: end.kind === 'whole' ? null : end,
    };
  }

  #add(record: PacketRecord): void {
    const totals = this.#totals;
    const decoded = this.#decoded;
    const context = this.#context;
    totals.packets++;
    totals.dataBytes += record.originalBytes;
    totals.capturedBytes += record.capturedBytes;
    this.#linkTypes.set(record.linkType, (this.#linkTypes.get(record.linkType) ?? 0) + 1);
    this.#times.add(record);
    context.timeNs = this.#times.readRelativeNs(record);
    context.epochMs = record.hasTime ? record.epochSeconds * 1000 + record.nanoseconds / 1e6 : null;

    decodePacket(record, decoded);
    if (decoded.ipVersion === 4) this.#ip.v4Packets++;
    else if (decoded.ipVersion === 6) this.#ip.v6Packets++;
    context.way = this.#traffic.add(record, decoded, context.epochMs);
    if (decoded.outcome === 'fragment') this.#ip.fragments++;
    const carrier = findCarrier(record.bytes, decoded);
    if (carrier !== null) this.#carriers.set(carrier, (this.#carriers.get(carrier) ?? 0) + 1);
    const outcome = decoded.outcome === 'transport' ? this.#addTransport(record) : decoded.outcome;
    if (outcome === 'cut') totals.cutPackets++;
    else if (outcome === 'malformed') totals.malformedPackets++;
  }

  #addTransport(record: PacketRecord): 'read' | 'cut' | 'malformed' {
    if (this.#decoded.protocol === protocols.tcp) return this.#tcp.add(record, this.#decoded, this.#context);
    if (this.#decoded.protocol === protocols.udp) return this.#udp.add(record, this.#decoded, this.#context);
    return 'read';
  }
}
