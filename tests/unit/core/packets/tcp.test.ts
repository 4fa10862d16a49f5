import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBefore, SegmentRoom, UnacknowledgedSegments } from '#core/packets/tcp/unacknowledged-segments.ts';
import { maximumDetails } from '#core/packets/tcp/tcp-meter.ts';
import {
  client,
  handshake,
  measure,
  measureSteps,
  plainShape,
  server,
  startEpochNs,
  type Step,
} from '#tests/support/packets/measure.ts';
import { frames, tcpPacket } from '#tests/support/packets/packet-bytes.ts';
import { pcapBytes } from '#tests/support/packets/trace-bytes.ts';

test('sequence numbers are in order across the wrap at 2^32', () => {
  const signed = (value: number) => value | 0;
  expect(isBefore(signed(0x7fffff00), signed(0x80000100))).toBe(true);
  expect(isBefore(signed(0xffffff00), signed(0x00000100))).toBe(true);
  expect(isBefore(signed(0x80000100), signed(0x7fffff00))).toBe(false);
  expect(isBefore(5, 5)).toBe(false);
});

const tcpOf = (steps: Step[]) => measureSteps(steps).tcp!;
/** Full segments of the server: 1000 bytes each, from the given one on. */
const data = (atMs: number, index: number, payloadBytes = 1000): Step => ({
  atMs,
  way: '<',
  flags: 'A',
  sequence: 5001 + 1000 * index,
  acknowledgement: 1001,
  payloadBytes,
});
const ack = (atMs: number, index: number, more: Partial<Step> = {}): Step => ({
  atMs,
  way: '>',
  flags: 'A',
  sequence: 1001,
  acknowledgement: 5001 + 1000 * index,
  ...more,
});

test('a whole connection: its flags, its signalling, its round trips', () => {
  const { tcp, connections } = measureSteps([
    ...handshake(),
    { atMs: 11, way: '>', flags: 'PA', sequence: 1001, acknowledgement: 5001, payloadBytes: 200 },
    { ...data(21, 0), acknowledgement: 1201 },
    { ...ack(21.5, 1), sequence: 1201 },
    { atMs: 22, way: '<', flags: 'FA', sequence: 6001, acknowledgement: 1201 },
    { atMs: 23, way: '>', flags: 'FA', sequence: 1201, acknowledgement: 6002 },
    { atMs: 33, way: '<', flags: 'A', sequence: 6002, acknowledgement: 1202 },
  ]);
  expect(tcp).toMatchObject({
    connections: 1,
    opened: 1,
    failed: 0,
    joined: 0,
    reusedPorts: 0,
    syn: 1,
    synAck: 1,
    fin: 2,
    rst: 0,
    pureAck: 3,
    payloadBytes: 1200,
    signalling: { packets: 7, bytes: 378 },
    retransmissions: 0,
    outOfOrder: 0,
    duplicateAcks: 0,
    handshakeRtt: { count: 1, minMs: 10.5, meanMs: 10.5, maxMs: 10.5 },
    ackRtt: { count: 6, minMs: 0.5, maxMs: 10 },
  });
  expect(connections).toMatchObject([
    {
      client,
      server,
      state: 'opened',
      startMs: 0,
      endMs: 33,
      handshakeMs: 10.5,
      sentByClient: { packets: 5 },
      sentByServer: { packets: 4 },
    },
  ]);
  expect(connections[0]!.clientAckRtt).toMatchObject({ count: 3, maxMs: 10 });
  expect(connections[0]!.serverAckRtt).toMatchObject({ count: 3, maxMs: 1 });
});

test.for([
  [
    'refused',
    [
      { atMs: 0, way: '>', flags: 'S', sequence: 1 },
      { atMs: 1, way: '<', flags: 'RA', sequence: 0, acknowledgement: 2 },
    ],
    { failed: 1, rst: 1, handshakeRtt: null },
  ],
  [
    'not answered',
    [0, 1000, 3000].map((atMs) => ({ atMs, way: '>', flags: 'S', sequence: 1 })),
    { failed: 1, syn: 3, connections: 1, retransmissions: 2 },
  ],
  ['there before the trace', [data(0, 3), ack(1, 4)], { joined: 1, opened: 0, failed: 0 }],
  ['of which the SYN is missing', handshake().slice(1), { opened: 1, synAck: 1 }],
] as [string, Step[], object][])('a connection that was %s', ([, steps, expected]) => {
  expect(tcpOf(steps)).toMatchObject(expected);
});

test('a SYN with another number between the same ends begins a new connection; with the same number it is sent again', () => {
  const again = handshake(500).map((step) => ({
    ...step,
    sequence: step.sequence + 70_000,
    ...(step.acknowledgement && { acknowledgement: step.acknowledgement + 70_000 }),
  }));
  expect(tcpOf([...handshake(), ...again])).toMatchObject({
    connections: 2,
    opened: 2,
    reusedPorts: 1,
    retransmissions: 0,
  });
  expect(tcpOf([...handshake(), { ...handshake()[0]!, atMs: 1000 }])).toMatchObject({
    connections: 1,
    reusedPorts: 0,
    retransmissions: 1,
  });
});

test('a segment that comes again late is a retransmission, after duplicate ACKs a fast one, after its ACK a spurious one', () => {
  const late = tcpOf([...handshake(), data(20, 0), data(20.1, 1), data(300, 0)]);
  expect(late).toMatchObject({ retransmissions: 1, fastRetransmissions: 0, spuriousRetransmissions: 0, outOfOrder: 0 });
  const fast = tcpOf([
    ...handshake(),
    data(20, 0),
    ack(20.2, 1),
    data(40, 2),
    ack(41, 1),
    data(42, 3),
    ack(43, 1),
    data(44, 1),
  ]);
  expect(fast).toMatchObject({ retransmissions: 1, fastRetransmissions: 1, duplicateAcks: 2 });
  const spurious = tcpOf([...handshake(), data(20, 0), ack(21, 1), data(30, 0)]);
  expect(spurious).toMatchObject({ retransmissions: 1, spuriousRetransmissions: 1 });
});

test('a hole that is filled within the round trip of the handshake was out of order', () => {
  expect(tcpOf([...handshake(), data(20, 0), data(20.1, 2), data(20.2, 1)])).toMatchObject({
    outOfOrder: 1,
    retransmissions: 0,
  });
  expect(tcpOf([...handshake(), data(20, 0), data(20.1, 2), data(35, 1)])).toMatchObject({
    outOfOrder: 0,
    retransmissions: 1,
  });
});

test('zero windows, probes and keep-alives are no retransmissions and no duplicate ACKs', () => {
  const stalled = tcpOf([
    ...handshake(),
    data(20, 0),
    ack(21, 1, { window: 0 }),
    data(200, 1, 1),
    ack(201, 1, { window: 0 }),
    ack(300, 1, { window: 9000 }),
    data(301, 1),
  ]);
  expect(stalled).toMatchObject({ zeroWindows: 2, retransmissions: 0, duplicateAcks: 0, keepAlives: 0 });
  const idle = tcpOf([
    ...handshake(),
    data(20, 0),
    ack(21, 1),
    { ...data(5000, 1, 0), sequence: 6000 },
    ack(5001, 1),
    { ...data(9000, 1, 1), sequence: 6000 },
    ack(9001, 1),
  ]);
  expect(idle).toMatchObject({ keepAlives: 2, retransmissions: 0, duplicateAcks: 0 });
});

test('the acknowledgement of a segment that was sent twice gives no round trip, as nobody knows which one it answers', () => {
  const { ackRtt, ambiguousAcks } = tcpOf([
    ...handshake(),
    data(20, 0),
    data(300, 0),
    ack(310, 1),
    data(320, 1),
    ack(330, 2),
  ]);
  // SYN and SYN-ACK, and the one segment that was sent once.
  expect(ackRtt).toMatchObject({ count: 3, maxMs: 10 });
  expect(ambiguousAcks).toBe(1);
});

test('all connections share the room for unacknowledged segments, and what had none is counted', () => {
  const room = new SegmentRoom(2);
  const [one, other] = [new UnacknowledgedSegments(room), new UnacknowledgedSegments(room)];
  const segment = (start: number) => ({ start, end: start + 1, sentNs: start, isAmbiguous: false });
  one.add(segment(0));
  other.add(segment(0));
  one.add(segment(1));
  expect([room.leftOut, one.acknowledge(2)]).toEqual([1, null]);
  other.add(segment(1));
  expect([room.leftOut, other.acknowledge(2)?.sentNs]).toEqual([1, 1]);
});

test('of more segments than are remembered, the round trips are not known, and the statistics say so', () => {
  const sent = Array.from({ length: 10_002 }, (_, index) => data(20, index, 1));
  expect(tcpOf([...handshake(), ...sent]).unfollowedSegments).toBe(2);
  expect(tcpOf(handshake())).not.toHaveProperty('unfollowedSegments');
});

test('an acknowledgement of several segments measures from the last of them, and of half a segment from none', () => {
  expect(tcpOf([...handshake(), data(20, 0), data(25, 1), ack(30, 2)]).ackRtt).toMatchObject({ count: 3, maxMs: 10 });
  expect(tcpOf([...handshake(), data(20, 0), { ...ack(30, 0), acknowledgement: 5501 }]).ackRtt).toMatchObject({
    count: 2,
  });
});

test('round trips of what the local end sent are distinguished from those of what it received', () => {
  const steps = [...handshake(), data(20, 0), ack(20.1, 1)];
  const { tcp } = measureSteps(steps, { localAddresses: [client.address] });
  expect(tcp!.sentAckRtt).toMatchObject({ count: 1, minMs: 10 });
});

test('sequence numbers that wrap change nothing', () => {
  const steps = [
    ...handshake(),
    data(20, 0),
    data(20.1, 1),
    ack(21, 1),
    data(40, 3),
    ack(41, 2),
    data(42, 4),
    ack(43, 2),
    ack(43.1, 2),
    data(44, 2),
    ack(50, 5),
    data(60, 5, 300),
    { atMs: 70, way: '>' as const, flags: 'FA', sequence: 1001, acknowledgement: 10_301 },
  ];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      (clientShift, serverShift) => {
        const shifted = steps.map((step) => {
          const [own, other] = step.way === '>' ? [clientShift, serverShift] : [serverShift, clientShift];
          return {
            ...step,
            sequence: step.sequence + own,
            ...(step.acknowledgement !== undefined && { acknowledgement: step.acknowledgement + other }),
          };
        });
        expect(tcpOf(shifted)).toEqual(tcpOf(steps));
      },
    ),
  );
});

test('more connections than are reported one by one are all in the totals', () => {
  const wrap = frames.ethernet!.wrap;
  const count = maximumDetails + 500;
  const packets = Array.from({ length: count }, (_, index) => ({
    epochNs: startEpochNs,
    bytes: wrap(
      tcpPacket({
        source: `10.0.${index >> 8}.${index & 255}`,
        destination: '10.9.9.9',
        sourcePort: 1000 + index,
        destinationPort: 80,
        sequence: 1,
        flags: 'S',
      }),
    ),
  }));
  const { tcp, connections } = measure(pcapBytes(plainShape, [...packets, ...packets]));
  expect(tcp).toMatchObject({ connections: count, failed: count, syn: 2 * count });
  expect(connections).toHaveLength(maximumDetails);
});

test('a byte by itself is a probe of a window that the other end said is closed, and of no other', () => {
  const byte = (atMs: number) => ({ ...data(atMs, 0, 1), sequence: 6001 });
  // Sent again, a byte that is no probe keeps the connection alive.
  expect(tcpOf([data(30, 0), ack(35, 1), byte(40), byte(70)]).keepAlives).toBe(1);
  expect(tcpOf([data(30, 0), ack(35, 1, { window: 0 }), byte(40), byte(70)]).keepAlives).toBe(0);
  // Of a connection of which one direction alone was seen, no window is known.
  expect(tcpOf([data(30, 0), byte(40), byte(70)]).keepAlives).toBe(1);
  // What follows a probe has its byte again, and is no retransmission.
  const rest = { ...data(80, 0, 1000), sequence: 6001 };
  const closed = tcpOf([data(30, 0), ack(35, 1, { window: 0 }), byte(40), rest]);
  expect(closed).toMatchObject({ zeroWindows: 1, retransmissions: 0, outOfOrder: 0 });
});
