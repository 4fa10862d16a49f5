import { z } from 'zod';
import type { DecodedPacket } from '../decode/decoded-packet.ts';
import { EndpointSchema, readEndpoints, type Endpoint } from '../decode/endpoint.ts';
import { FlowTable } from '../decode/flow-table.ts';
import { TrafficSchema, addPacket, noTraffic } from '../measures/traffic.ts';
import type { PacketRecord } from '../trace/packet-record.ts';
import { readQuicVersion } from './read-quic-version.ts';

export const UdpFlowSchema = z.object({
  /** The end that sent the first packet. */
  client: EndpointSchema,
  server: EndpointSchema,
  sentByClient: TrafficSchema,
  sentByServer: TrafficSchema,
  /** Null: no long header of QUIC was seen in it. */
  quicVersion: z.string().nullable(),
});
export type UdpFlow = z.infer<typeof UdpFlowSchema>;

export const UdpSummarySchema = z.object({
  packets: z.int().nonnegative(),
  /** As tshark's `udp.stream` counts. */
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
  quicVersion: string | null;
}

/** UDP of one trace, packet by packet. */
export class UdpMeter {
  readonly #table = new FlowTable();
  readonly #flows: FlowState[] = [];
  #packets = 0;

  add(record: PacketRecord, packet: DecodedPacket): 'read' | 'cut' | 'malformed' {
    const { bytes, originalBytes } = record;
    if (packet.transportBytes < headerBytes) return 'malformed';
    const payloadStart = packet.transportOffset + headerBytes;
    if (payloadStart > packet.capturedEnd) return 'cut';
    this.#packets++;
    const flow = this.#findFlow(bytes, packet);
    const isFromSource = flow.ends === null || this.#table.isForward === flow.ends.isSourceForward;
    addPacket(isFromSource ? flow.fromSource : flow.fromDestination, originalBytes);
    flow.quicVersion ??= readQuicVersion(bytes.subarray(payloadStart, packet.capturedEnd));
    return 'read';
  }

  summarize(): UdpSummary {
    return {
      packets: this.#packets,
      flows: this.#flows.length,
      quicFlows: this.#flows.filter(({ quicVersion }) => quicVersion !== null).length,
    };
  }

  /** Only the first ones. */
  listFlows(): UdpFlow[] {
    return this.#flows.flatMap(({ ends, fromSource, fromDestination, quicVersion }) =>
      ends === null
        ? []
        : [
            {
              client: ends.source,
              server: ends.destination,
              sentByClient: fromSource,
              sentByServer: fromDestination,
              quicVersion,
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
    const flow: FlowState = { ends, fromSource: noTraffic(), fromDestination: noTraffic(), quicVersion: null };
    this.#table.set(this.#flows.length);
    this.#flows.push(flow);
    return flow;
  }
}
