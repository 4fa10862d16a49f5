import { frames, ipBytes, joinBytes, udpBytes } from './packet-bytes.ts';
import { client, server, startEpochNs } from './measure.ts';
import type { TracePacket } from './trace-bytes.ts';

export const quicVersions = { v1: 1, v2: 0x6b3343cf, draft29: 0xff00001d };
const types = ['initial', '0-rtt', 'handshake', 'retry'] as const;

/** A packet with a long header, of which only the header is real. */
export function longPacket(
  type: (typeof types)[number],
  { version = quicVersions.v1, payloadBytes = 40, token = new Uint8Array(0), destination = 1 } = {},
): Uint8Array {
  const index = types.indexOf(type);
  const bits = version === quicVersions.v2 ? (index + 1) % 4 : index;
  return joinBytes(
    Uint8Array.of(0xc3 | (bits << 4)),
    Uint8Array.of(version >>> 24, (version >>> 16) & 255, (version >>> 8) & 255, version & 255),
    Uint8Array.of(8, destination, 2, 3, 4, 5, 6, 7, 8, 4, 9, 9, 9, 9),
    ...(type === 'initial' ? [Uint8Array.of(token.length), token] : []),
    Uint8Array.of(0x40 | (payloadBytes >>> 8), payloadBytes & 255),
    new Uint8Array(payloadBytes),
  );
}

export const shortPacket = (payloadBytes = 40): Uint8Array =>
  joinBytes(Uint8Array.of(0x40), new Uint8Array(payloadBytes));

/** A datagram between the client and port 443 of the server. */
export function datagram(
  { atMs, way, port = client.port }: { atMs: number; way: '>' | '<'; port?: number },
  ...packets: Uint8Array[]
): TracePacket {
  const [from, to] = [
    { address: client.address, port },
    { address: server.address, port: 443 },
  ];
  const [source, destination] = way === '>' ? [from, to] : [to, from];
  const udp = udpBytes(source.port, destination.port, joinBytes(...packets));
  const ip = ipBytes({ source: source.address, destination: destination.address, protocol: 17 }, udp);
  return { epochNs: startEpochNs + BigInt(Math.round(atMs * 1e6)), bytes: frames.ethernet!.wrap(ip) };
}
