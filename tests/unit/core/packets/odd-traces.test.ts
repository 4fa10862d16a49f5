import { expect, test } from 'vitest';
import { CaptureStatisticsSchema } from '#core/packets/capture-statistics.ts';
import {
  handshake,
  measure,
  measureSteps,
  plainShape,
  startEpochNs,
  tracePackets,
  type Step,
} from '#tests/support/packets/measure.ts';
import { frames, ipBytes, joinBytes, tcpBytes, tcpPacket } from '#tests/support/packets/packet-bytes.ts';
import { pseudoHeaders } from '#tests/support/packets/pseudo-headers.ts';
import { pcapBytes, pcapngBytes, type PcapngShape } from '#tests/support/packets/trace-bytes.ts';

const data = (atMs: number, sequence: number): Step => ({
  atMs,
  way: '>',
  flags: 'PA',
  sequence,
  acknowledgement: 5001,
  payloadBytes: 100,
});
const syn = { sourcePort: 1, destinationPort: 2, sequence: 1, flags: 'S' };
const four = tcpPacket({ source: '10.0.0.1', destination: '10.0.0.2', ...syn });
const six = tcpPacket({ source: '2001:db8::1', destination: '2001:db8::2', ...syn });
const one = (bytes: Uint8Array, linkType: number) =>
  measure(pcapBytes({ ...plainShape, linkTypes: [linkType] }, [{ epochNs: startEpochNs, bytes }]));

test('a segment whose time is before that of the segments before it is no fast one and none out of order', () => {
  const { tcp } = measureSteps([...handshake(), data(40, 1201), data(20, 1001), data(30, 1101), data(41, 1301)]);
  expect([tcp!.retransmissions, tcp!.outOfOrder]).toEqual([2, 0]);
  const acks = [21, 22, 23].map((atMs): Step => ({
    atMs,
    way: '<',
    flags: 'A',
    sequence: 5001,
    acknowledgement: 1101,
  }));
  const { tcp: fast } = measureSteps([...handshake(), data(20, 1001), data(20.1, 1201), ...acks, data(10, 1101)]);
  expect([fast!.retransmissions, fast!.fastRetransmissions]).toEqual([1, 0]);
});

test('a time that no date can hold is damage, and the packets before it are counted', () => {
  const packets = tracePackets(handshake());
  const right = pcapngBytes(plainShape, packets);
  const late = pcapngBytes({ ...plainShape, timeOffsetS: -(2n ** 61n), timeResolution: 0 }, []);
  const far = pcapngBytes(plainShape, packets.slice(0, 1)).subarray(pcapngBytes(plainShape, []).length);
  const { packets: count, damage } = CaptureStatisticsSchema.parse(measure(joinBytes(right, late, far)));
  expect(count).toBe(3);
  expect(damage).toMatchObject({
    kind: 'corrupt',
    problem: 'the time of a packet is further from 1970 than a date can be',
  });
});

test('a packet without a time gives no round trip, at either end', () => {
  const [first, second, third] = tracePackets(handshake());
  const shape = { ...plainShape, linkTypes: [1] };
  const timed = pcapngBytes(shape, [second!, third!]);
  const timeless = pcapngBytes({ ...shape, packetBlock: 'simple' }, [first!]);
  const headerBytes = pcapngBytes(shape, []).length;
  const { tcp, connections, durationS } = measure(joinBytes(timeless, timed.subarray(headerBytes)));
  expect(tcp).toMatchObject({
    packets: 3,
    connections: 1,
    opened: 1,
    handshakeRtt: null,
    ackRtt: { count: 1, minMs: 0.5, maxMs: 0.5 },
  });
  expect([durationS, connections[0]!.startMs, connections[0]!.handshakeMs]).toEqual([null, null, null]);
});

test.for([
  ['address, control and a whole protocol', [0xff, 0x03, 0x00, 0x21], four],
  ['a whole protocol', [0x00, 0x21], four],
  ['a short protocol', [0x21], four],
  ['address, control and a short protocol', [0xff, 0x03, 0x57], six],
] as const)('PPP with %s is decoded', ([, header, ip]) => {
  expect(one(joinBytes(Uint8Array.from(header), ip), 9)).toMatchObject({
    linkTypes: [{ name: 'PPP', isDecoded: true }],
    tcp: { packets: 1, syn: 1 },
    malformedPackets: 0,
    cutPackets: 0,
  });
});

test('PPP that is cut or carries something else is no TCP', () => {
  const cut = { epochNs: startEpochNs, bytes: Uint8Array.of(0xff, 0x03, 0x00), wireBytes: 44 };
  expect(measure(pcapBytes({ ...plainShape, linkTypes: [9] }, [cut]))).toMatchObject({
    cutPackets: 1,
    tcp: { packets: 0 },
  });
  expect(one(Uint8Array.of(0xff, 0x03, 0xc0, 0x21, 1, 2), 9)).toMatchObject({
    cutPackets: 0,
    malformedPackets: 0,
    tcp: { packets: 0 },
  });
});

test.for([
  ['an EtherType, after two bytes of 0', [0, 0, 0x08, 0x00], four],
  ['an EtherType of IPv6', [0, 0, 0x86, 0xdd], six],
  ['an EtherType in the other byte order', [0xdd, 0x86, 0, 0], six],
  ['an EtherType of a VLAN', [0, 0, 0x81, 0x00, 0, 7, 0x08, 0x00], four],
  ['a family of 16 bits, as IRIX writes it', [0, 2, 0, 0], four],
  ['PPP', [0xff, 0x03, 0x00, 0x21], four],
] as const)('BSD loopback with %s is decoded, and that of OpenBSD is not', ([name, header, ip]) => {
  const frame = joinBytes(Uint8Array.from(header), ip);
  expect(one(frame, 0)).toMatchObject({ tcp: { packets: 1 }, malformedPackets: 0, cutPackets: 0 });
  if (!name.startsWith('a family')) expect(one(frame, 108).tcp!.packets).toBe(0);
});

test.for(pseudoHeaders)(
  'of link type $linkType, $name, no byte counts that no wire carried',
  ({ linkType, header }) => {
    const frame = joinBytes(header, new Uint8Array(40));
    const packets = [
      { epochNs: startEpochNs, bytes: frame },
      { epochNs: startEpochNs, bytes: frame.subarray(0, header.length + 8), wireBytes: frame.length },
    ];
    for (const trace of [pcapBytes, pcapngBytes].map((write) =>
      write({ ...plainShape, linkTypes: [linkType] }, packets),
    ))
      expect(measure(trace)).toMatchObject({
        packets: 2,
        dataBytes: 80,
        capturedBytes: 48,
        throughput: { all: { bytes: [80] } },
        damage: null,
      });
    const cut = { epochNs: startEpochNs, bytes: header.subarray(0, -1) };
    expect(measure(pcapBytes({ ...plainShape, linkTypes: [linkType] }, [packets[0]!, cut]))).toMatchObject({
      packets: 1,
      dataBytes: 40,
      damage: { kind: 'corrupt', problem: expect.stringContaining('its header alone takes') as string },
    });
  },
);

test('PPP is decoded behind its direction', () => {
  expect(one(joinBytes(Uint8Array.of(1, 0xff, 0x03, 0x00, 0x21), four), 204)).toMatchObject({
    linkTypes: [{ name: 'PPP with direction', isDecoded: true }],
    tcp: { packets: 1, syn: 1 },
  });
});

test('BSD loopback knows IPv6 by the numbers of the systems that write such frames', () => {
  for (const [family, packets] of [
    [24, 1],
    [28, 1],
    [30, 1],
    [10, 0],
  ] as const) {
    expect([family, one(joinBytes(Uint8Array.of(family, 0, 0, 0), six), 0).tcp!.packets]).toEqual([family, packets]);
  }
});

test('a length on the wire that is less than what was captured does not cut the packet', () => {
  const packets = tracePackets([...handshake(), data(20, 1001)]).map((packet) => ({ ...packet, wireBytes: 30 }));
  expect(measure(pcapBytes(plainShape, packets))).toMatchObject({
    dataBytes: 120,
    malformedPackets: 0,
    tcp: { packets: 4, payloadBytes: 100 },
  });
});

test('a frame check sequence is no payload', () => {
  const segment = tcpBytes({ source: '', destination: '', ...syn, flags: 'A', payload: new Uint8Array(100) });
  // Of a card that segments by itself: only the frame says how long it is.
  const frame = joinBytes(
    frames.ethernet!.wrap(
      ipBytes({ source: '10.0.0.1', destination: '10.0.0.2', protocol: 6, totalBytes: 0 }, segment),
    ),
    new Uint8Array(4),
  );
  expect(one(frame, 0x2400_0001).tcp!.payloadBytes).toBe(100);
  expect(one(frame, 0x0400_0001).tcp!.payloadBytes).toBe(104);
  // In bytes, as Wireshark has it, and in bits, as its text says.
  for (const [checkBytes, payloadBytes] of [
    [4, 100],
    [32, 100],
    [16, 102],
    [0, 104],
  ] as const) {
    const shape: PcapngShape = { ...plainShape, checkBytes };
    expect(measure(pcapngBytes(shape, [{ epochNs: startEpochNs, bytes: frame }])).tcp!.payloadBytes).toBe(payloadBytes);
  }
});

test.for([
  ['Ethernet without a type', new Uint8Array(13), 1],
  ['Ethernet with half of an IPv4 header', frames.ethernet!.wrap(four.subarray(0, 10)), 1],
  ['PPP with half of a protocol', Uint8Array.of(0xff, 0x03, 0x00), 9],
  ['BSD loopback with half of a family', Uint8Array.of(2, 0), 0],
  ['nothing at all', new Uint8Array(0), 101],
  [
    'an extension header of IPv6 behind the end',
    frames.ethernet!.wrap(
      ipBytes(
        { source: '2001:db8::1', destination: '2001:db8::2', protocol: 60 },
        Uint8Array.of(60, 9, 1, 4, 0, 0, 0, 0),
      ),
    ),
    1,
  ],
] as const)('%s is malformed, and not cut, where no snap length took anything away', ([, bytes, linkType]) => {
  expect(one(bytes, linkType)).toMatchObject({ packets: 1, cutPackets: 0, malformedPackets: 1, tcp: { packets: 0 } });
});

test.for([true, false])("Kuznetzov's pcap is read, little-endian: %s", (littleEndian) => {
  const shape = { ...plainShape, littleEndian, timeDigits: 6 as const };
  const packets = tracePackets([...handshake(), data(20, 1001)]);
  const modified = measure(pcapBytes({ ...shape, isModified: true }, packets), { chunkBytes: 33 });
  expect(modified).toEqual(measure(pcapBytes(shape, packets)));
  expect(modified).toMatchObject({ packets: 4, durationS: 0.02, damage: null });
});
