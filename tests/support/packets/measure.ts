import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { TraceMeter } from '#core/packets/trace-meter.ts';
import { frames, tcpPacket, type TcpFields } from './packet-bytes.ts';
import { pcapBytes, type TracePacket, type TraceShape } from './trace-bytes.ts';

export const plainShape: TraceShape = { littleEndian: true, timeDigits: 9, linkTypes: [1], snapBytes: 262_144 };

/** 14 November 2023. */
export const startEpochNs = 1_700_000_000_000_000_000n;

/** What our own code says of a trace, given in chunks of so many bytes. */
export function measure(
  trace: Uint8Array,
  options: { localAddresses?: string[]; chunkBytes?: number } = {},
): CaptureStatistics {
  const meter = new TraceMeter({ localAddresses: options.localAddresses ?? [] });
  const chunkBytes = options.chunkBytes ?? trace.length;
  for (let offset = 0; offset < trace.length; offset += chunkBytes)
    meter.push(trace.slice(offset, offset + chunkBytes));
  return meter.finish();
}

/** One segment at a time, after so many milliseconds. `>` is from client to server. */
export interface Step extends Partial<Omit<TcpFields, 'source' | 'destination'>> {
  atMs: number;
  way: '>' | '<';
  flags: string;
  sequence: number;
  payloadBytes?: number;
}

export const client = { address: '10.0.0.1', port: 40_000 };
export const server = { address: '10.0.0.2', port: 80 };

export function tracePackets(steps: Step[]): TracePacket[] {
  return steps.map(({ atMs, way, payloadBytes = 0, ...fields }) => {
    const [from, to] = way === '>' ? [client, server] : [server, client];
    const segment = {
      source: from.address,
      sourcePort: from.port,
      destination: to.address,
      destinationPort: to.port,
      payload: new Uint8Array(payloadBytes),
      ...fields,
    };
    return { epochNs: startEpochNs + BigInt(Math.round(atMs * 1e6)), bytes: frames.ethernet!.wrap(tcpPacket(segment)) };
  });
}

/** TCP of a conversation, step by step. */
export function measureSteps(steps: Step[], options: { localAddresses?: string[] } = {}): CaptureStatistics {
  return measure(pcapBytes(plainShape, tracePackets(steps)), options);
}

/** The three segments that open a connection: client's numbers from 1001 on, server's from 5001. Round trip 10 ms. */
export function handshake(atMs = 0): Step[] {
  return [
    { atMs, way: '>', flags: 'S', sequence: 1000 },
    { atMs: atMs + 10, way: '<', flags: 'SA', sequence: 5000, acknowledgement: 1001 },
    { atMs: atMs + 10.5, way: '>', flags: 'A', sequence: 1001, acknowledgement: 5001 },
  ];
}
