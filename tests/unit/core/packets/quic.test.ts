import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuicDatagram } from '#core/packets/udp/read-quic-datagram.ts';
import { client, measure, plainShape, server } from '#tests/support/packets/measure.ts';
import { datagram, longPacket, quicVersions, shortPacket } from '#tests/support/packets/quic-bytes.ts';
import { joinBytes } from '#tests/support/packets/packet-bytes.ts';
import { pcapBytes, type TracePacket } from '#tests/support/packets/trace-bytes.ts';

const measureQuic = (packets: TracePacket[], snapBytes = 262_144) =>
  measure(pcapBytes({ ...plainShape, snapBytes }, packets));
const padded = (way: '>' | '<', atMs: number) => datagram({ atMs, way }, longPacket('initial', { payloadBytes: 1100 }));

test('UDP flows are reported with the version of QUIC that their long headers carry', () => {
  const of = (port: number, ...packets: Uint8Array[]) => datagram({ atMs: 0, way: '>', port }, ...packets);
  const { udp, udpFlows } = measureQuic([
    of(1, longPacket('initial')),
    datagram({ atMs: 1, way: '<', port: 1 }, longPacket('initial')),
    of(1, shortPacket()),
    of(2, longPacket('initial', { version: quicVersions.v2 })),
    of(3, longPacket('initial', { version: quicVersions.draft29 })),
    of(4, longPacket('initial', { version: 0x0a0a0a0a })),
    of(5, Buffer.from('hello, world')),
  ]);
  expect(udp).toEqual({ packets: 7, flows: 5, quicFlows: 3 });
  expect(udpFlows.map(({ client: own, quicVersion }) => [own.port, quicVersion])).toEqual([
    [1, 'QUIC v1'],
    [2, 'QUIC v2'],
    [3, 'QUIC draft 29'],
    [4, null],
    [5, null],
  ]);
  expect(udpFlows[0]).toMatchObject({
    client: { address: client.address },
    server: { address: server.address, port: 443 },
    sentByClient: { packets: 2 },
    sentByServer: { packets: 1 },
  });
  expect(udpFlows[4]!.quic).toBeNull();
});

test.each([
  ['coalesced with an acknowledgement', [longPacket('initial'), longPacket('handshake'), shortPacket()]],
  ['alone', [longPacket('handshake')]],
  ['with keys of 1-RTT', [shortPacket()]],
])('the handshake lasts from the first Initial to the answer of the client, %s', (_, answer) => {
  const { udpFlows } = measureQuic([
    padded('>', 10),
    padded('>', 310), // sent again
    padded('<', 620),
    datagram({ atMs: 630, way: '>' }, ...answer),
    datagram({ atMs: 640, way: '>' }, shortPacket()),
    datagram({ atMs: 1300, way: '<' }, shortPacket(900)),
  ]);
  expect(udpFlows[0]!.quic).toMatchObject({ startMs: 10, endMs: 1300, handshakeMs: 620, hasZeroRtt: false });
  const { sentByClient, sentByServer, quic } = udpFlows[0]!;
  const sum = quic!.throughput.bytes.reduce((all, bytes) => all + bytes, 0);
  expect(sum).toBe(sentByClient.bytes + sentByServer.bytes);
});

/** With its fixed bit cleared (RFC 9287). */
const greased = (packet: Uint8Array) => Uint8Array.from(packet, (byte, at) => (at === 0 ? byte & ~0x40 : byte));

test.each([
  ['a long header', greased(longPacket('handshake'))],
  ['a long header behind another', joinBytes(greased(longPacket('initial')), greased(longPacket('handshake')))],
  ['a short header', greased(shortPacket())],
])('in a flow of QUIC, the handshake may end with a fixed bit that is cleared: %s', (_, answer) => {
  const { udpFlows } = measureQuic([padded('>', 10), padded('<', 620), datagram({ atMs: 630, way: '>' }, answer)]);
  expect(udpFlows[0]!.quic!.handshakeMs).toBe(620);
});

test('a cleared fixed bit makes no flow QUIC, and zeros behind a packet are padding', () => {
  const { udp } = measureQuic([datagram({ atMs: 0, way: '>' }, greased(longPacket('initial')))]);
  expect(udp!.quicFlows).toBe(0);
  const bytes = joinBytes(longPacket('initial'), new Uint8Array(100));
  expect(readQuicDatagram(bytes, { isKnown: true })!.hasLaterKeys).toBe(false);
});

test('0-RTT is seen, and a handshake that was never answered has no duration', () => {
  const { udpFlows } = measureQuic([
    datagram({ atMs: 0, way: '>' }, longPacket('initial'), longPacket('0-rtt')),
    datagram({ atMs: 600, way: '<' }, longPacket('retry')),
  ]);
  expect(udpFlows[0]!.quic).toMatchObject({ hasZeroRtt: true, handshakeMs: null });
});

test('a cut datagram shows what was captured of it; the next one shows the rest', () => {
  const trace = [
    padded('>', 0),
    padded('<', 600),
    datagram({ atMs: 601, way: '>' }, longPacket('initial', { payloadBytes: 1100 }), longPacket('handshake')),
    datagram({ atMs: 602, way: '>' }, shortPacket()),
  ];
  expect(measureQuic(trace).udpFlows[0]!.quic!.handshakeMs).toBe(601);
  expect(measureQuic(trace, 200).udpFlows[0]!.quic!.handshakeMs).toBe(602);
});

test('a token and the types of version 2 are read over', () => {
  const version = quicVersions.v2;
  const bytes = joinBytes(
    longPacket('initial', { version, token: new Uint8Array(60) }),
    longPacket('0-rtt', { version }),
    longPacket('handshake', { version }),
  );
  expect(readQuicDatagram(bytes, { isKnown: false })).toEqual({
    version: 'QUIC v2',
    destinationId: '\x01\x02\x03\x04\x05\x06\x07\x08',
    hasInitial: true,
    hasZeroRtt: true,
    hasLaterKeys: true,
  });
});

test('a datagram of any bytes never breaks the reading', () => {
  const whole = joinBytes(longPacket('initial'), longPacket('handshake'), shortPacket());
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (place, byte, end) => {
      const spoiled = Uint8Array.from(whole);
      spoiled[place] = byte;
      for (const isKnown of [true, false]) readQuicDatagram(spoiled.subarray(0, end), { isKnown });
    }),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => void readQuicDatagram(bytes, { isKnown: true })));
});
