import { expect, test } from 'vitest';
import { VisitMeter } from '#agent/artefacts/visit-meter.ts';
import { traceBytes } from '#tests/support/captured-trace.ts';
import { client, handshake, plainShape, server, startEpochNs, type Step } from '#tests/support/packets/measure.ts';
import { frames, joinBytes, tcpPacket } from '#tests/support/packets/packet-bytes.ts';
import { datagram, longPacket, shortPacket } from '#tests/support/packets/quic-bytes.ts';
import { clientHello } from '#tests/support/packets/tls-bytes.ts';
import { pcapBytes } from '#tests/support/packets/trace-bytes.ts';

const startEpochMs = Number(startEpochNs / 1_000_000n);

interface Segment extends Step {
  /** The client's; one of its own for each connection. */
  port?: number;
  payload?: Uint8Array;
}

/** What each Visit has, of a trace given in small chunks. */
function meter(
  times: [from: number, to: number][],
  trace: Segment[] | Uint8Array,
  { keepsConnections = false, snapBytes = 262_144, localAddresses = [client.address] } = {},
) {
  const visits = times.map(([from, to], index) => ({
    visitId: String(index),
    startedEpochMs: startEpochMs + from,
    endedEpochMs: startEpochMs + to,
  }));
  const it = new VisitMeter(visits, { keepsConnections, localAddresses });
  const bytes = trace instanceof Uint8Array ? trace : pcapBytes({ ...plainShape, snapBytes }, trace.map(writePacket));
  for (let offset = 0; offset < bytes.length; offset += 7) it.push(bytes.slice(offset, offset + 7));
  return Object.values(it.finish().visits);
}

function writePacket({
  atMs,
  way,
  payloadBytes = 0,
  payload = new Uint8Array(payloadBytes),
  port = client.port,
  ...fields
}: Segment) {
  const inner = { address: client.address, port };
  const [from, to] = way === '>' ? [inner, server] : [server, inner];
  const segment = {
    source: from.address,
    sourcePort: from.port,
    destination: to.address,
    destinationPort: to.port,
    payload,
    ...fields,
  };
  return { epochNs: startEpochNs + BigInt(Math.round(atMs * 1e6)), bytes: frames.ethernet!.wrap(tcpPacket(segment)) };
}

const open = (atMs: number, port = client.port): Segment[] => handshake(atMs).map((step) => ({ ...step, port }));
const send = (atMs: number, payload: Uint8Array, { port = client.port, sequence = 1001 } = {}): Segment => ({
  atMs,
  way: '>',
  flags: 'PA',
  sequence,
  acknowledgement: 5001,
  payload,
  port,
});
/** The client's FIN, and a round trip later the server's with its answer. */
const close = (atMs: number, port = client.port): Segment[] => [
  { atMs, way: '>', flags: 'FA', sequence: 1101, acknowledgement: 5001, port },
  { atMs: atMs + 600, way: '<', flags: 'FA', sequence: 5001, acknowledgement: 1102, port },
  { atMs: atMs + 600, way: '>', flags: 'R', sequence: 1102, port },
];
const request = new Uint8Array(100);

test('what closes a connection belongs to the Visit that opened it, also in the time of the next', () => {
  const trace = [
    ...open(0),
    send(20, request),
    ...close(190),
    ...open(300, 40_001).slice(0, 1),
    ...open(800, 40_001).slice(1),
    send(820, request, { port: 40_001 }),
  ];
  expect(
    meter(
      [
        [0, 100],
        [250, 900],
      ],
      trace,
    ),
  ).toMatchObject([
    { packets: 7, bytes: 7 * 54 + 100, openedConnections: 1, unusedConnections: 0 },
    { packets: 4, bytes: 4 * 54 + 100, openedConnections: 1, unusedConnections: 0 },
  ]);
});

test('where connections are kept, a packet belongs to the Visit in whose time it falls, and a connection to the one that opened it', () => {
  const trace = [...open(0), send(20, request), send(300, request, { sequence: 1101 }), ...close(950)];
  expect(
    meter(
      [
        [0, 100],
        [250, 900],
      ],
      trace,
      { keepsConnections: true },
    ),
  ).toMatchObject([
    { packets: 4, bytes: 4 * 54 + 100, openedConnections: 1, unusedConnections: 0 },
    { packets: 1, bytes: 54 + 100, openedConnections: 0, unusedConnections: 0 },
  ]);
});

test('packets of a connection that was opened between Visits, or before the trace, belong to none', () => {
  const trace = [
    ...open(150),
    send(160, request),
    send(300, request, { sequence: 1101 }),
    send(310, request, { port: 40_009 }),
  ];
  const nothing = { packets: 0, bytes: 0, openedConnections: 0, unusedConnections: 0 };
  expect(
    meter(
      [
        [0, 100],
        [250, 900],
      ],
      trace,
    ),
  ).toMatchObject([nothing, nothing]);
});

test('bytes are sent or received as the address of the User Agent says, and segments without payload are signalling', () => {
  const trace = [...open(0), send(20, request), ...close(50)];
  const visit = { packets: 7, bytes: 7 * 54 + 100, signallingPackets: 6 };
  expect(meter([[0, 900]], trace)).toMatchObject([{ ...visit, sentBytes: 5 * 54 + 100, receivedBytes: 2 * 54 }]);
  expect(meter([[0, 900]], trace, { localAddresses: [server.address] })).toMatchObject([
    { ...visit, sentBytes: 2 * 54, receivedBytes: 5 * 54 + 100 },
  ]);
  expect(meter([[0, 900]], trace, { localAddresses: [] })).toMatchObject([
    { ...visit, sentBytes: null, receivedBytes: null },
  ]);
});

test('a SYN that is sent again opens nothing, and another one between the same endpoints does', () => {
  const again: Segment[] = [
    { atMs: 5, way: '>', flags: 'S', sequence: 1000 },
    { atMs: 300, way: '>', flags: 'S', sequence: 77_000 },
  ];
  expect(meter([[0, 400]], [...open(0).slice(0, 1), ...again])).toMatchObject([
    { packets: 3, openedConnections: 2, unusedConnections: 2 },
  ]);
});

test('the trace of a connection without a request, as it was before', () => {
  expect(meter([[0, 200]], traceBytes)).toMatchObject([
    { packets: 4, bytes: 1216, openedConnections: 1, unusedConnections: 1 },
  ]);
  expect(meter([], traceBytes)).toEqual([]);
});

const record = (type: number, contentBytes: number) =>
  joinBytes(Uint8Array.of(type, 3, 3, contentBytes >> 8, contentBytes & 255), new Uint8Array(contentBytes));
const hello = joinBytes(clientHello([[21, new Uint8Array(1700)]]));
const cipherChange = record(20, 1);
/** A hello in two segments, the end of the handshake, and what follows in a segment for each part. */
function speak(...parts: Uint8Array[]): Segment[] {
  const segments = [hello.subarray(0, 1448), hello.subarray(1448), ...parts];
  let sequence = 1001;
  return [
    ...open(0),
    ...segments.map((payload, index) => {
      const segment = send(20 + index, payload, { sequence });
      sequence += payload.length;
      return segment;
    }),
  ];
}

test('what TCP Fast Open sends in the SYN is for the application, as all that follows', () => {
  const unusedOf = (inSyn: Uint8Array, ...parts: Uint8Array[]) => {
    const sequence = 1001 + inSyn.length;
    const [visit] = meter(
      [[0, 200]],
      [
        { atMs: 0, way: '>', flags: 'S', sequence: 1000, payload: inSyn },
        { atMs: 10, way: '<', flags: 'SA', sequence: 5000, acknowledgement: sequence },
        ...parts.map((part) => send(20, part, { sequence })),
      ],
    );
    return visit!.unusedConnections;
  };
  expect(unusedOf(request)).toBe(0);
  expect(unusedOf(clientHello([]))).toBe(1);
  expect(unusedOf(clientHello([]), record(23, 17 + 128))).toBe(1);
  expect(unusedOf(clientHello([]), record(23, 17 + 129))).toBe(0);
});

// As Chromium 156, Firefox 153 and the http engine send them over HTTP/1.1 and HTTP/2; lengths of records, with their tags.
test.for<[name: string, unused: number, parts: Uint8Array[]]>([
  ['Chrome, opened and left', 1, [joinBytes(cipherChange, record(23, 69))]],
  ['Firefox, closed with an alert', 1, [joinBytes(cipherChange, record(23, 69)), record(23, 19)]],
  [
    'Firefox over HTTP/2, which begins with its settings and goes away',
    1,
    [joinBytes(cipherChange, record(23, 69)), record(23, 87), record(23, 34), record(23, 19)],
  ],
  ['TLS 1.2, opened and left', 1, [joinBytes(record(22, 66), cipherChange, record(22, 40)), record(21, 26)]],
  ['Chrome over HTTP/2, with a request', 0, [joinBytes(cipherChange, record(23, 69)), record(23, 87), record(23, 472)]],
  [
    'http engine over HTTP/1.1, with a request in the handshake’s last segment',
    0,
    [joinBytes(cipherChange, record(23, 69), record(23, 374))],
  ],
  ['TLS 1.2, with a request', 0, [joinBytes(record(22, 66), cipherChange, record(22, 40)), record(23, 400)]],
])('%s: of one connection %i is unused, however short the packets are cut', ([, unused, parts]) => {
  for (const snapBytes of [262_144, 512, 160])
    expect(meter([[0, 100]], speak(...parts), { snapBytes })).toMatchObject([
      { openedConnections: 1, unusedConnections: unused },
    ]);
});

test('a QUIC connection counts as opened, and its packets belong to the Visit that opened it', () => {
  const trace = pcapBytes(plainShape, [
    datagram({ atMs: 10, way: '>' }, longPacket('initial')),
    datagram({ atMs: 60, way: '<' }, longPacket('initial'), longPacket('handshake')),
    datagram({ atMs: 300, way: '<' }, shortPacket(20)),
    datagram({ atMs: 310, way: '>', port: 40_001 }, longPacket('initial')),
    datagram({ atMs: 320, way: '>', port: 40_002 }, new Uint8Array(30)),
  ]);
  const times: [number, number][] = [
    [0, 100],
    [250, 900],
  ];
  expect(meter(times, trace)).toMatchObject([
    { packets: 3, openedConnections: 1, unusedConnections: 0, signallingPackets: 0 },
    { packets: 2, openedConnections: 1, unusedConnections: 0 },
  ]);
  expect(meter(times, trace, { keepsConnections: true })).toMatchObject([
    { packets: 2, openedConnections: 1 },
    { packets: 3, openedConnections: 1 },
  ]);
});

test('a second QUIC connection between the same ports belongs to the Visit that opened it', () => {
  const ofServer = { destination: 2 };
  const trace = pcapBytes(plainShape, [
    datagram({ atMs: 10, way: '>' }, longPacket('initial')),
    datagram({ atMs: 15, way: '>' }, longPacket('initial')), // again, as no answer came
    datagram({ atMs: 60, way: '<' }, longPacket('initial'), longPacket('handshake')),
    datagram({ atMs: 61, way: '>' }, longPacket('initial'), longPacket('handshake')),
    datagram({ atMs: 62, way: '<' }, longPacket('initial'), longPacket('handshake')),
    datagram({ atMs: 63, way: '>' }, longPacket('handshake', ofServer)),
    datagram({ atMs: 64, way: '>' }, longPacket('initial', ofServer)), // late, as Chrome acknowledges
    datagram({ atMs: 70, way: '>' }, shortPacket()),
    datagram({ atMs: 310, way: '>' }, longPacket('initial', { destination: 3 })),
    datagram({ atMs: 360, way: '<' }, longPacket('initial'), longPacket('handshake')),
  ]);
  const times: [number, number][] = [
    [0, 100],
    [250, 900],
  ];
  expect(meter(times, trace)).toMatchObject([
    { packets: 8, openedConnections: 1 },
    { packets: 2, openedConnections: 1 },
  ]);
});
