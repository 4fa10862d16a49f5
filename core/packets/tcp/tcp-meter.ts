import type { DecodedPacket } from '../decode/decoded-packet.ts';
import { readEndpoints } from '../decode/endpoint.ts';
import { FlowTable } from '../decode/flow-table.ts';
import { DelayAccumulator } from '../measures/delay-summary.ts';
import { countRequests } from '../http/count-requests.ts';
import { addPacket, noTraffic } from '../measures/traffic.ts';
import type { PacketRecord } from '../trace/packet-record.ts';
import { analyseSegment } from './analyse-segment.ts';
import { ConnectionDetail, type Connection } from './connection-detail.ts';
import { FindingCounts } from './finding-counts.ts';
import { anyRetransmission } from './findings.ts';
import { TcpConnection } from './tcp-connection.ts';
import type { TcpDirection } from './tcp-direction.ts';
import { makeTcpSegment, readTcpSegment, tcpFlags } from './tcp-segment.ts';
import type { TcpSummary } from './tcp-summary.ts';

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
    };
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
    const connection = new TcpConnection(detail);
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
    const start = (this.#segment.sequence - sender.baseSequence! - 1) | 0;
    const way = this.#table.isForward ? 'forward' : 'backward';
    detail.tls.add(way, start, this.#readPayload(record, packet));
  }
}
