import { EndpointSchema, readEndpoints, type DecodedPacket, type Endpoint } from '../decode/decoded-packet.ts';
import { FlowTable } from '../decode/flow-table.ts';
import { TrafficSchema, addPacket, noTraffic } from '../measures/traffic.ts';
import type { PacketRecord } from '../trace/packet-record.ts';
import { type QuicDatagram, readQuicDatagram } from './read-quic-datagram.ts';
import { z } from 'zod';
import { ByteSeriesAccumulator, ByteSeriesSchema } from '../measures/byte-series.ts';

const QuicSchema = z.object({
  /** Milliseconds from the second that the trace begins in; null when not every packet of it has a time. */
  startMs: z.number().nullable(),
  endMs: z.number().nullable(),
  /** From the client's first Initial packet to its first datagram with keys of the handshake, or of what follows it. Null when one of them is not in the trace. */
  handshakeMs: z.number().nullable(),
  /** Whether the client sent data before the handshake was over. */
  hasZeroRtt: z.boolean(),
  throughput: ByteSeriesSchema,
});
type Quic = z.infer<typeof QuicSchema>;

const maximumBins = 3_600;

/** What is kept of one QUIC connection for the report. */
class QuicDetail {
  readonly version: string;
  readonly #startNs: number;
  readonly #throughput = new ByteSeriesAccumulator(maximumBins);
  #endNs: number;
  #initialNs: number | null = null;
  #handshakeNs: number | null = null;
  #hasZeroRtt = false;

  constructor(version: string, timeNs: number) {
    this.version = version;
    this.#startNs = timeNs;
    this.#endNs = timeNs;
  }

  /** Whether headers of the client can still show anything. */
  get isOpen(): boolean {
    return this.#handshakeNs === null;
  }

  add({ bytes, timeNs, epochMs }: { bytes: number; timeNs: number; epochMs: number | null }): void {
    this.#endNs = Math.max(this.#endNs, timeNs);
    if (epochMs !== null) this.#throughput.add(epochMs, bytes);
  }

  noteOfClient({ hasInitial, hasZeroRtt, hasLaterKeys }: QuicDatagram, timeNs: number): void {
    if (hasInitial) this.#initialNs ??= timeNs;
    this.#hasZeroRtt ||= hasZeroRtt;
    if (hasLaterKeys && this.#initialNs !== null) this.#handshakeNs ??= timeNs - this.#initialNs;
  }

  finish({ areTimesKnown }: { areTimesKnown: boolean }): Quic {
    const ms = (ns: number | null) => (areTimesKnown && ns !== null ? ns / 1e6 : null);
    return {
      startMs: ms(this.#startNs),
      endMs: ms(this.#endNs),
      handshakeMs: ms(this.#handshakeNs),
      hasZeroRtt: this.#hasZeroRtt,
      throughput: this.#throughput.finish(),
    };
  }
}

export const UdpFlowSchema = z.object({
  /** The end that sent the first packet. */
  client: EndpointSchema,
  server: EndpointSchema,
  sentByClient: TrafficSchema,
  sentByServer: TrafficSchema,
  /** Null: no long header of QUIC was seen in it. */
  quicVersion: z.string().nullable(),
  /** Null: it is not QUIC, or its statistics were made by an earlier version. */
  quic: QuicSchema.nullable().default(null),
});
export type UdpFlow = z.infer<typeof UdpFlowSchema>;

export const UdpSummarySchema = z.object({
  packets: z.int().nonnegative(),
  /** Pairs of endpoints (address and port), in either direction and over the whole trace. */
  flows: z.int().nonnegative(),
  quicFlows: z.int().nonnegative(),
});
export type UdpSummary = z.infer<typeof UdpSummarySchema>;

const headerBytes = 8;
const maximumDetails = 1_000;

interface FlowState {
  ends: { source: Endpoint; destination: Endpoint; isSourceForward: boolean } | null;
  fromSource: { packets: number; bytes: number };
  fromDestination: { packets: number; bytes: number };
  quic: QuicDetail | null;
}

/** When a packet passed, in the trace and since 1970. */
interface PacketTime {
  timeNs: number;
  epochMs: number | null;
}

/** UDP of one trace, packet by packet. */
export class UdpMeter {
  readonly #table = new FlowTable();
  readonly #flows: FlowState[] = [];
  #packets = 0;

  add(record: PacketRecord, packet: DecodedPacket, time: PacketTime): 'read' | 'cut' | 'malformed' {
    const { bytes, originalBytes } = record;
    if (packet.transportBytes < headerBytes) return 'malformed';
    const payloadStart = packet.transportOffset + headerBytes;
    if (payloadStart > packet.capturedEnd) return 'cut';
    this.#packets++;
    const flow = this.#findFlow(bytes, packet);
    const isFromSource = flow.ends === null || this.#table.isForward === flow.ends.isSourceForward;
    addPacket(isFromSource ? flow.fromSource : flow.fromDestination, originalBytes);
    if (flow.quic === null || (isFromSource && flow.quic.isOpen)) {
      const datagram = readQuicDatagram(bytes.subarray(payloadStart, packet.capturedEnd), {
        isKnown: flow.quic !== null,
      });
      if (datagram?.version) flow.quic ??= new QuicDetail(datagram.version, time.timeNs);
      if (datagram && isFromSource) flow.quic?.noteOfClient(datagram, time.timeNs);
    }
    if (flow.ends !== null) flow.quic?.add({ bytes: originalBytes, ...time });
    return 'read';
  }

  summarize(): UdpSummary {
    return {
      packets: this.#packets,
      flows: this.#flows.length,
      quicFlows: this.#flows.filter(({ quic }) => quic !== null).length,
    };
  }

  /** Only the first ones. */
  listFlows({ areTimesKnown }: { areTimesKnown: boolean }): UdpFlow[] {
    return this.#flows.flatMap(({ ends, fromSource, fromDestination, quic }) =>
      ends === null
        ? []
        : [
            {
              client: ends.source,
              server: ends.destination,
              sentByClient: fromSource,
              sentByServer: fromDestination,
              quicVersion: quic?.version ?? null,
              quic: quic?.finish({ areTimesKnown }) ?? null,
            },
          ],
    );
  }

  #findFlow(bytes: Uint8Array, packet: DecodedPacket): FlowState {
    const index = this.#table.find(bytes, packet);
    if (index !== undefined) return this.#flows[index]!;
    const ends =
      this.#flows.length < maximumDetails
        ? { ...readEndpoints(bytes, packet), isSourceForward: this.#table.isForward }
        : null;
    const flow: FlowState = { ends, fromSource: noTraffic(), fromDestination: noTraffic(), quic: null };
    this.#table.set(this.#flows.length);
    this.#flows.push(flow);
    return flow;
  }
}
