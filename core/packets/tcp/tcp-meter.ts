import { readEndpoints, type DecodedPacket } from '../decode/decoded-packet.ts';
import { FlowTable } from '../decode/flow-table.ts';
import { DelayAccumulator } from '../measures/delay-summary.ts';
import { addPacket, noTraffic } from '../measures/traffic.ts';
import type { PacketRecord } from '../trace/packet-record.ts';
import { analyseSegment, unknownRoundTripNs, FindingCounts, anyRetransmission, findings } from './analyse-segment.ts';
import { ConnectionDetail, type Connection } from './connection-detail.ts';
import { LossRepairs, type Repairs } from './loss-repairs.ts';
import { TcpConnection, type TcpDirection } from './tcp-connection.ts';
import { makeTcpSegment, readTcpSegment, tcpFlags } from './tcp-segment.ts';
import type { TcpSummary } from './tcp-summary.ts';
import { SegmentRoom } from './unacknowledged-segments.ts';

/** A longer payload is read no further. */
const maximumBytes = 16 * 1024;
const decoder = new TextDecoder('latin1');
const methods = 'GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT|TRACE';
/** At the start of a segment, or right after the head of the request before it, as pipelined requests are. */
const requestStart = new RegExp(`(?:^|\\r\\n\\r\\n)(?:${methods}) [!-~]`, 'g');
/** The first letter of a method: most segments begin with another byte. */
const firstLetters = new Set(new TextEncoder().encode('GHPDOCT'));

/** This many connections of a trace are listed one by one; the later ones are in the totals only. */
export const maximumDetails = 1_000;

export interface PacketContext {
  /** Since the second of the trace's first packet; NaN for a packet without a time. */
  timeNs: number;
  epochMs: number | null;
  way: 'sent' | 'received' | 'other';
}

/** TCP of one trace, packet by packet. */
export class TcpMeter {
  readonly #table = new FlowTable();
  readonly #connections: TcpConnection[] = [];
  readonly #counts = new FindingCounts();
  readonly #segment = makeTcpSegment();
  readonly #handshakeRtt = new DelayAccumulator();
  readonly #ackRtt = new DelayAccumulator();
  readonly #sentAckRtt = new DelayAccumulator();
  readonly #signalling = noTraffic();
  readonly #repairs = new LossRepairs();
  readonly #room = new SegmentRoom();
  #packets = 0;
  #payloadBytes = 0;
  #httpRequests = 0;
  #reusedPorts = 0;
  #ambiguousAcks = 0;

  /** Says why the packet could not be analysed, if so. */
  add(record: PacketRecord, packet: DecodedPacket, context: PacketContext): 'read' | 'cut' | 'malformed' {
    const segment = this.#segment;
    const outcome = readTcpSegment(record.bytes, packet, segment);
    if (outcome !== 'read') return outcome;
    segment.timeNs = context.timeNs;
    this.#packets++;
    this.#payloadBytes += segment.payloadBytes;
    if (segment.payloadBytes === 0) addPacket(this.#signalling, record.originalBytes);

    const connection = this.#findConnection(record, packet, context.timeNs);
    const { isForward } = this.#table;
    const sender = isForward ? connection.forward : connection.backward;
    const receiver = isForward ? connection.backward : connection.forward;
    connection.noteBase(segment, sender, receiver);
    const found = analyseSegment(segment, { sender, receiver, handshakeNs: connection.handshakeNs });
    this.#counts.add(segment, found);
    const handshakeNs = connection.noteHandshake(segment);
    if (handshakeNs !== null) this.#handshakeRtt.add(handshakeNs);
    this.#measureAck(connection, receiver, context.way);
    this.#findRepair(connection, { sender, receiver, found, context });
    if ((found & anyRetransmission) === 0) this.#httpRequests += countRequests(this.#readPayload(record, packet));

    const { detail } = connection;
    if (detail !== null) {
      detail.add({ bytes: record.originalBytes, timeNs: context.timeNs, epochMs: context.epochMs, isForward });
      if ((found & anyRetransmission) !== 0) detail.retransmissions++;
      if (detail.tls.isReading && segment.payloadBytes > 0) this.#readTls(record, packet, { detail, sender });
    }
    return 'read';
  }

  summarize(): TcpSummary {
    const states = { opened: 0, failed: 0, joined: 0 };
    for (const { state } of this.#connections) states[state]++;
    return {
      packets: this.#packets,
      connections: this.#connections.length,
      ...states,
      reusedPorts: this.#reusedPorts,
      ...this.#counts.read(),
      signalling: this.#signalling,
      payloadBytes: this.#payloadBytes,
      httpRequests: this.#httpRequests,
      handshakeRtt: this.#handshakeRtt.summarize(),
      ackRtt: this.#ackRtt.summarize(),
      sentAckRtt: this.#sentAckRtt.summarize(),
      ambiguousAcks: this.#ambiguousAcks,
      ...(this.#room.leftOut > 0 && { unfollowedSegments: this.#room.leftOut }),
    };
  }

  /** When losses of the local addresses were repaired. */
  listRepairs(): Repairs {
    return this.#repairs.finish();
  }

  /** Only the first ones. */
  listConnections({ areTimesKnown }: { areTimesKnown: boolean }): Connection[] {
    return this.#connections.flatMap(({ detail, state, handshakeNs }) =>
      detail === null ? [] : [detail.finish({ state, handshakeNs, areTimesKnown })],
    );
  }

  /** A SYN with another initial sequence number than the one before between the same endpoints begins a new connection. */
  #findConnection(record: PacketRecord, packet: DecodedPacket, timeNs: number): TcpConnection {
    const table = this.#table;
    const segment = this.#segment;
    const index = table.find(record.bytes, packet);
    if (index === undefined) return this.#addConnection(record, packet, timeNs);
    const connection = this.#connections[index]!;
    const sender = table.isForward ? connection.forward : connection.backward;
    const isBegin = (segment.flags & (tcpFlags.syn | tcpFlags.ack)) === tcpFlags.syn;
    if (!isBegin || sender.baseSequence === null) return connection;
    if (sender.baseSequence === segment.sequence) {
      // A RST in between may have had any number (RFC 9293, 3.5.2), which would make the repeated SYN look new.
      sender.nextSequence = sender.gaplessEnd;
      return connection;
    }
    this.#reusedPorts++;
    return this.#addConnection(record, packet, timeNs);
  }

  #addConnection(record: PacketRecord, packet: DecodedPacket, timeNs: number): TcpConnection {
    const isSynAck = (this.#segment.flags & tcpFlags.syn) !== 0 && (this.#segment.flags & tcpFlags.ack) !== 0;
    const detail =
      this.#connections.length < maximumDetails
        ? new ConnectionDetail({
            ...readEndpoints(record.bytes, packet),
            isSourceClient: !isSynAck,
            isForward: this.#table.isForward,
            timeNs,
          })
        : null;
    const connection = new TcpConnection(detail, this.#room);
    this.#table.set(this.#connections.length);
    this.#connections.push(connection);
    return connection;
  }

  #measureAck(connection: TcpConnection, receiver: TcpDirection, way: PacketContext['way']): void {
    const segment = this.#segment;
    if ((segment.flags & tcpFlags.ack) === 0) return;
    const answered = receiver.unacknowledged.acknowledge(segment.acknowledgement);
    // Less than the clock can resolve, a clock that was set back, or no time at all.
    if (answered === null || !(segment.timeNs > answered.sentNs)) return;
    if (answered.isAmbiguous) {
      this.#ambiguousAcks++;
      return;
    }
    const delayNs = segment.timeNs - answered.sentNs;
    this.#ackRtt.add(delayNs);
    if (way === 'received') this.#sentAckRtt.add(delayNs);
    connection.detail?.addAckRtt(delayNs, !this.#table.isForward);
  }

  #findRepair(
    { handshakeNs }: TcpConnection,
    { sender, receiver, found, context: { way, timeNs, epochMs } }: RepairContext,
  ): void {
    const { flags, sequence, end, acknowledgement } = this.#segment;
    if (way === 'other' || (flags & tcpFlags.rst) !== 0) return;
    if (way === 'sent' && (flags & tcpFlags.ack) !== 0) receiver.arrived.skipTo(acknowledgement);
    if (sequence === end) return;
    const sinceNs =
      way === 'sent' ? findFirstSending(sender, sequence, found) : sender.arrived.add(sequence, end, timeNs);
    // What is filled sooner came out of order: to send it again takes a round trip.
    const leastNs = way === 'sent' ? 0 : handshakeNs === null ? unknownRoundTripNs : handshakeNs / 2;
    if (sinceNs !== null && epochMs !== null && timeNs - sinceNs > leastNs)
      this.#repairs.add(epochMs - (timeNs - sinceNs) / 1e6, epochMs);
  }

  /** What of the segment's payload was captured. */
  #readPayload({ bytes }: PacketRecord, { capturedEnd }: DecodedPacket): Uint8Array {
    const { payloadOffset, payloadBytes } = this.#segment;
    return bytes.subarray(payloadOffset, Math.min(payloadOffset + payloadBytes, capturedEnd));
  }

  #readTls(
    record: PacketRecord,
    packet: DecodedPacket,
    { detail, sender }: { detail: ConnectionDetail; sender: TcpDirection },
  ): void {
    const start = (this.#segment.payloadSequence - sender.baseSequence! - 1) | 0;
    const way = this.#table.isForward ? 'forward' : 'backward';
    detail.tls.add(way, start, this.#readPayload(record, packet));
  }
}

/**
 * Requests of HTTP/1.x that begin in the captured payload of a segment. It begins with one, or it has none: browsers begin a request
 * with a segment. Encrypted requests and those of HTTP/2 are not seen.
 */
function countRequests(captured: Uint8Array): number {
  if (captured.length === 0 || !firstLetters.has(captured[0]!)) return 0;
  const text = decoder.decode(captured.subarray(0, maximumBytes));
  const starts = [...text.matchAll(requestStart)];
  return starts[0]?.index === 0 ? starts.length : 0;
}

interface RepairContext {
  sender: TcpDirection;
  receiver: TcpDirection;
  /** Findings of the segment. */
  found: number;
  context: PacketContext;
}

/** Null of a segment that was not lost, as far as is known. */
function findFirstSending(sender: TcpDirection, sequence: number, found: number): number | null {
  const isRepair = (found & (findings.retransmission | findings.fastRetransmission)) !== 0;
  return isRepair ? sender.unacknowledged.firstSentNs(sequence) : null;
}
