import { z } from 'zod';
import { EndpointSchema, type Endpoint } from '../decode/decoded-packet.ts';
import { TlsHandshake, TlsSchema } from '../tls/tls-handshake.ts';
import { ByteSeriesAccumulator, ByteSeriesSchema } from '../measures/byte-series.ts';
import { DelayAccumulator, DelaySummarySchema } from '../measures/delay-summary.ts';
import { TrafficSchema, addPacket, noTraffic } from '../measures/traffic.ts';

export const ConnectionSchema = z.object({
  /** The end that sent the SYN; where the trace has none, the sender of the first packet. */
  client: EndpointSchema,
  server: EndpointSchema,
  state: z.enum(['opened', 'failed', 'joined']),
  /** Milliseconds from the second that the trace begins in; null when not every packet of it has a time. */
  startMs: z.number().nullable(),
  endMs: z.number().nullable(),
  sentByClient: TrafficSchema,
  sentByServer: TrafficSchema,
  retransmissions: z.int().nonnegative(),
  handshakeMs: z.number().nullable(),
  /** Of segments of the client, and of the server, from their passing the point of capture to that of their acknowledgement. */
  clientAckRtt: DelaySummarySchema.nullable(),
  serverAckRtt: DelaySummarySchema.nullable(),
  throughput: ByteSeriesSchema,
  /** Null: it did not begin with a TLS handshake, or its beginning is not in the trace. */
  tls: TlsSchema.nullable(),
});
export type Connection = z.infer<typeof ConnectionSchema>;

const maximumBins = 3_600;

/** What is kept of one connection for the report. Only the first `maximumDetails` connections have it. */
export class ConnectionDetail {
  readonly #source: Endpoint;
  readonly #destination: Endpoint;
  readonly #fromSource = noTraffic();
  readonly #fromDestination = noTraffic();
  readonly #sourceRtt = new DelayAccumulator();
  readonly #destinationRtt = new DelayAccumulator();
  readonly #throughput = new ByteSeriesAccumulator(maximumBins);
  readonly #startNs: number;
  #endNs: number;
  readonly #isSourceClient: boolean;
  retransmissions = 0;
  readonly tls = new TlsHandshake();
  /** Whether the source of the first packet is the lower endpoint of the flow table. */
  readonly #isSourceForward: boolean;

  constructor(first: {
    source: Endpoint;
    destination: Endpoint;
    isSourceClient: boolean;
    isForward: boolean;
    timeNs: number;
  }) {
    this.#source = first.source;
    this.#destination = first.destination;
    this.#isSourceClient = first.isSourceClient;
    this.#isSourceForward = first.isForward;
    this.#startNs = first.timeNs;
    this.#endNs = first.timeNs;
  }

  add({
    bytes,
    timeNs,
    epochMs,
    isForward,
  }: {
    bytes: number;
    timeNs: number;
    epochMs: number | null;
    isForward: boolean;
  }): void {
    addPacket(isForward === this.#isSourceForward ? this.#fromSource : this.#fromDestination, bytes);
    this.#endNs = Math.max(this.#endNs, timeNs);
    if (epochMs !== null) this.#throughput.add(epochMs, bytes);
  }

  addAckRtt(delayNs: number, isForward: boolean): void {
    (isForward === this.#isSourceForward ? this.#sourceRtt : this.#destinationRtt).add(delayNs);
  }

  finish(known: { state: Connection['state']; handshakeNs: number | null; areTimesKnown: boolean }): Connection {
    const ends = [
      { endpoint: this.#source, traffic: this.#fromSource, rtt: this.#sourceRtt.summarize() },
      { endpoint: this.#destination, traffic: this.#fromDestination, rtt: this.#destinationRtt.summarize() },
    ] as const;
    const [client, server] = this.#isSourceClient ? ends : [ends[1], ends[0]];
    return {
      client: client.endpoint,
      server: server.endpoint,
      state: known.state,
      startMs: known.areTimesKnown ? this.#startNs / 1e6 : null,
      endMs: known.areTimesKnown ? this.#endNs / 1e6 : null,
      sentByClient: client.traffic,
      sentByServer: server.traffic,
      retransmissions: this.retransmissions,
      handshakeMs: known.handshakeNs === null ? null : known.handshakeNs / 1e6,
      clientAckRtt: client.rtt,
      serverAckRtt: server.rtt,
      throughput: this.#throughput.finish(),
      tls: this.tls.summarize(),
    };
  }
}
