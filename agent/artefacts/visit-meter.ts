import { readUint16 } from '#core/packets/decode/byte-order.ts';
import { AddressSet } from '#core/packets/decode/address-set.ts';
import { decodePacket } from '#core/packets/decode/decode-packet.ts';
import { makeDecodedPacket, protocols, type DecodedPacket } from '#core/packets/decode/decoded-packet.ts';
import { FlowTable } from '#core/packets/decode/flow-table.ts';
import { findWay } from '#core/packets/measures/traffic.ts';
import { makeTcpSegment, readTcpSegment, tcpFlags, type TcpSegment } from '#core/packets/tcp/tcp-segment.ts';
import { readQuicDatagram } from '#core/packets/udp/read-quic-datagram.ts';
import type { PacketRecord } from '#core/packets/trace/packet-record.ts';
import { TraceReader } from '#core/packets/trace/trace-reader.ts';
import type { VisitWire } from '#core/protocol/capture-outcome.ts';
import type { VisitTime } from '../spool/capture-spool.ts';
import { ApplicationBytes } from '#core/packets/tls/application-bytes.ts';

/**
 * No more than this is sent over TLS without a request: the preface of HTTP/2 with its settings (70 bytes of Chrome and Firefox), GOAWAY (17) and an
 * alert (2). The first request of a connection alone is longer.
 */
const mostWithoutRequestBytes = 128;

/** One TCP connection of a trace, as far as the Visits need it. */
class VisitConnection<Visit> {
  /** Within which it was opened; null where that was between Visits, or before the trace. */
  readonly openedIn: Visit | null;
  readonly #isClientForward: boolean;
  /** The initial sequence number of the client; null where its SYN is not in the trace. */
  readonly #sequence: number | null;
  readonly #sent = new ApplicationBytes();

  constructor({ openedIn, segment, isForward }: { openedIn: Visit | null; segment: TcpSegment; isForward: boolean }) {
    const isOpening = opensConnection(segment);
    this.openedIn = isOpening ? openedIn : null;
    this.#sequence = isOpening ? segment.sequence : null;
    this.#isClientForward = isForward;
  }

  /** Whether a segment is the SYN of another connection between the same endpoints. */
  isFollowedBy(segment: TcpSegment): boolean {
    return opensConnection(segment) && segment.sequence !== this.#sequence;
  }

  add(
    segment: TcpSegment,
    { bytes, packet, isForward }: { bytes: Uint8Array; packet: DecodedPacket; isForward: boolean },
  ): void {
    if (this.#sequence === null || isForward !== this.#isClientForward || segment.payloadBytes === 0) return;
    const { payloadOffset, payloadBytes, payloadSequence } = segment;
    const captured = bytes.subarray(payloadOffset, Math.min(payloadOffset + payloadBytes, packet.capturedEnd));
    this.#sent.add((payloadSequence - this.#sequence - 1) | 0, { length: payloadBytes, captured });
  }

  /** Whether the client sent a request on it, as far as its packets show. */
  get hasRequest(): boolean {
    return this.#sent.bytes > (this.#sent.isTls ? mostWithoutRequestBytes : 0);
  }
}

/** One QUIC connection of a trace. */
interface QuicConnection<Visit> {
  openedIn: Visit | null;
  isClientForward: boolean;
  /** Whether its client went beyond the first keys. It has none of these any more then (RFC 9001, 4.9.1), so that its next Initial packet opens another, but for late ones: Chrome acknowledges with one. */
  isBeyondInitial: boolean;
  /** Those that its client sent to. Another connection begins with one that nobody had before (RFC 9000, 7.2). */
  destinationIds: Set<string>;
}

/** Both ports, at the head of TCP and UDP alike. */
const portBytes = 4;
const udpHeaderBytes = 8;

interface MeteredVisit extends VisitTime {
  packets: number;
  bytes: number;
  sentBytes: number;
  receivedBytes: number;
  signallingPackets: number;
}

interface VisitMeterOptions {
  /** Whether connections are kept from one Visit to the next, as a warm Pass does. */
  keepsConnections: boolean;
  /** Of the User Agent; without any, nothing is known to be sent or received. */
  localAddresses: readonly string[];
  /** Where the first packet of the first Visit goes to, where that is to be found. */
  firstPort?: number | null;
}

/**
 * What of a trace belongs to each Visit. Where every Visit has connections of its own, all packets of a connection belong to the Visit that opened it,
 * also those that close it after the Visit; all others belong to the Visit in whose time they fall. Push the trace in chunks of any size, then finish.
 * The Visits are in the order of their times.
 */
export class VisitMeter {
  readonly #reader = new TraceReader((record) => this.#add(record));
  readonly #decoded = makeDecodedPacket();
  readonly #segment = makeTcpSegment();
  readonly #flows = new FlowTable();
  readonly #connections: VisitConnection<MeteredVisit>[] = [];
  readonly #udpFlows = new FlowTable();
  readonly #quicConnections: QuicConnection<MeteredVisit>[] = [];
  readonly #visits: MeteredVisit[];
  readonly #keepsConnections: boolean;
  readonly #localAddresses: AddressSet | null;
  /** Where the last packet fell: the next one is near. */
  #place = 0;

  readonly #firstPort: number | null;
  #firstPacketEpochMs: number | null = null;
  #packets = 0;

  constructor(visits: readonly VisitTime[], { keepsConnections, localAddresses, firstPort = null }: VisitMeterOptions) {
    const nothing = { packets: 0, bytes: 0, sentBytes: 0, receivedBytes: 0, signallingPackets: 0 };
    this.#visits = visits.map((visit) => ({ ...visit, ...nothing }));
    this.#keepsConnections = keepsConnections;
    this.#localAddresses = localAddresses.length === 0 ? null : new AddressSet(localAddresses);
    this.#firstPort = firstPort;
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  /** `packets`: how many the trace has, of any Visit or none. */
  finish(): { visits: Record<string, VisitWire>; firstPacketEpochMs: number | null; packets: number } {
    const hasWays = this.#localAddresses !== null;
    const openedBy = Map.groupBy(this.#connections, ({ openedIn }) => openedIn);
    const quicOpenedBy = Map.groupBy(this.#quicConnections, ({ openedIn }) => openedIn);
    const visits = Object.fromEntries(
      this.#visits.map((visit) => {
        const opened = openedBy.get(visit) ?? [];
        const unused = opened.filter(({ hasRequest }) => !hasRequest);
        return [
          visit.visitId,
          {
            packets: visit.packets,
            bytes: visit.bytes,
            openedConnections: opened.length + (quicOpenedBy.get(visit)?.length ?? 0),
            unusedConnections: unused.length,
            sentBytes: hasWays ? visit.sentBytes : null,
            receivedBytes: hasWays ? visit.receivedBytes : null,
            signallingPackets: visit.signallingPackets,
          },
        ];
      }),
    );
    return { visits, firstPacketEpochMs: this.#firstPacketEpochMs, packets: this.#packets };
  }

  #add(record: PacketRecord): void {
    this.#packets++;
    const epochMs = record.epochSeconds * 1000 + record.nanoseconds / 1e6;
    const current = this.#find(epochMs);
    decodePacket(record, this.#decoded);
    if (this.#firstPacketEpochMs === null && current !== null && current === this.#visits[0] && this.#isFirst(record))
      this.#firstPacketEpochMs = epochMs;
    const isSegment = this.#readSegment(record);
    const connection = isSegment ? this.#findConnection(record, current) : this.#findQuic(record, current);
    const visit = connection === null || this.#keepsConnections ? current : connection.openedIn;
    if (visit === null) return;
    visit.packets++;
    visit.bytes += record.originalBytes;
    const way = findWay(record.bytes, this.#decoded, this.#localAddresses);
    if (way === 'sent') visit.sentBytes += record.originalBytes;
    else if (way === 'received') visit.receivedBytes += record.originalBytes;
    if (isSegment && this.#segment.payloadBytes === 0) visit.signallingPackets++;
  }

  /** Whether it is the SYN or the datagram that opens a connection to that port. Last packets of other connections in the Visit go elsewhere, or open none. */
  #isFirst({ bytes }: PacketRecord): boolean {
    const { outcome, protocol, transportOffset, capturedEnd } = this.#decoded;
    if (
      outcome !== 'transport' ||
      transportOffset + portBytes > capturedEnd ||
      readUint16(bytes, transportOffset + 2) !== this.#firstPort
    )
      return false;
    if (protocol === protocols.udp) return true;
    const flagsOffset = transportOffset + 13;
    return (
      protocol === protocols.tcp &&
      flagsOffset < capturedEnd &&
      (bytes[flagsOffset]! & (tcpFlags.syn | tcpFlags.ack)) === tcpFlags.syn
    );
  }

  /** False for a packet that is not of TCP, or whose header is not whole. */
  #readSegment({ bytes }: PacketRecord): boolean {
    const decoded = this.#decoded;
    return (
      decoded.outcome === 'transport' &&
      decoded.protocol === protocols.tcp &&
      readTcpSegment(bytes, decoded, this.#segment) === 'read'
    );
  }

  #findConnection(record: PacketRecord, current: MeteredVisit | null): VisitConnection<MeteredVisit> {
    const decoded = this.#decoded;
    const segment = this.#segment;
    const flows = this.#flows;
    const index = flows.find(record.bytes, decoded);
    const { isForward } = flows;
    let connection = index === undefined ? null : this.#connections[index]!;
    if (connection === null || connection.isFollowedBy(segment)) {
      connection = new VisitConnection({ openedIn: current, segment, isForward });
      flows.set(this.#connections.push(connection) - 1);
    }
    connection.add(segment, { bytes: record.bytes, packet: decoded, isForward });
    return connection;
  }

  /** Null for a packet that is not of QUIC. */
  #findQuic({ bytes }: PacketRecord, current: MeteredVisit | null): QuicConnection<MeteredVisit> | null {
    const { outcome, protocol, transportOffset, capturedEnd } = this.#decoded;
    const payloadOffset = transportOffset + udpHeaderBytes;
    if (outcome !== 'transport' || protocol !== protocols.udp || payloadOffset > capturedEnd) return null;
    const index = this.#udpFlows.find(bytes, this.#decoded);
    const { isForward } = this.#udpFlows;
    const known = index === undefined ? null : this.#quicConnections[index]!;
    if (known && isForward !== known.isClientForward) return known;
    const datagram = readQuicDatagram(bytes.subarray(payloadOffset, capturedEnd), { isKnown: known !== null });
    const isBeyondInitial = datagram?.hasLaterKeys === true;
    const destinationId = datagram?.destinationId ?? null;
    const isOfKnown =
      known && (!known.isBeyondInitial || destinationId === null || known.destinationIds.has(destinationId));
    if (datagram?.hasInitial !== true || isOfKnown) {
      if (known) known.isBeyondInitial ||= isBeyondInitial;
      if (destinationId !== null) known?.destinationIds.add(destinationId);
      return known;
    }
    const destinationIds = new Set(destinationId === null ? [] : [destinationId]);
    const connection = { openedIn: current, isClientForward: isForward, isBeyondInitial, destinationIds };
    this.#udpFlows.set(this.#quicConnections.push(connection) - 1);
    return connection;
  }

  #find(epochMs: number): MeteredVisit | null {
    const visits = this.#visits;
    while (this.#place + 1 < visits.length && visits[this.#place + 1]!.startedEpochMs <= epochMs) this.#place++;
    while (this.#place > 0 && visits[this.#place]!.startedEpochMs > epochMs) this.#place--;
    const visit = visits[this.#place];
    return visit && visit.startedEpochMs <= epochMs && epochMs <= visit.endedEpochMs ? visit : null;
  }
}

function opensConnection({ flags }: TcpSegment): boolean {
  return (flags & (tcpFlags.syn | tcpFlags.ack)) === tcpFlags.syn;
}
