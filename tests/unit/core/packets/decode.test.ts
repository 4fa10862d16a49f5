import fc from 'fast-check';
import { isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress } from '#core/packets/decode/address.ts';
import { measure, plainShape, startEpochNs } from '#tests/support/packets/measure.ts';
import { frames, ipBytes, joinBytes, tcpBytes, udpBytes, type TcpFields } from '#tests/support/packets/packet-bytes.ts';
import { pcapBytes, type TraceShape } from '#tests/support/packets/trace-bytes.ts';

const segment: TcpFields = {
  source: '',
  destination: '',
  sourcePort: 40_000,
  destinationPort: 80,
  sequence: 7,
  flags: 'SA',
  payload: new Uint8Array(100),
};
const four = { source: '10.0.0.1', destination: '10.0.0.2' };
const six = { source: '2001:db8::1', destination: '2001:db8::2' };

function measureFrame(frame: Uint8Array, shape: Partial<TraceShape> = {}) {
  return measure(pcapBytes({ ...plainShape, ...shape }, [{ epochNs: startEpochNs, bytes: frame }]));
}

/** Puts an IPv6 extension header before what follows, whose number it carries on. */
function extend(next: number, body: Uint8Array, following: Uint8Array): Uint8Array {
  return joinBytes(Uint8Array.of(next), body, following);
}

test.for(Object.keys(frames).flatMap((name) => [[name, four] as const, [name, six] as const]))(
  'TCP is found in %s, between %o',
  ([name, ends]) => {
    const { linkType, wrap } = frames[name]!;
    const { tcp, connections, ip } = measureFrame(wrap(ipBytes({ ...ends, protocol: 6 }, tcpBytes(segment))), {
      linkTypes: [linkType],
    });
    expect(tcp).toMatchObject({ packets: 1, synAck: 1, payloadBytes: 100 });
    expect(ip).toEqual({ v4Packets: ends === four ? 1 : 0, v6Packets: ends === six ? 1 : 0, fragments: 0 });
    // The sender of a SYN-ACK is the server.
    expect(connections[0]).toMatchObject({
      server: { address: ends.source, port: 40_000 },
      client: { address: ends.destination, port: 80 },
    });
  },
);

test.for([
  ['hop-by-hop options', 0, (tcp: Uint8Array) => extend(6, Uint8Array.of(0, 1, 4, 0, 0, 0, 0), tcp)],
  [
    'routing, then destination options of 16 bytes',
    43,
    (tcp: Uint8Array) =>
      extend(60, Uint8Array.of(0, 0, 0, 0, 0, 0, 0), extend(6, Uint8Array.of(1, ...new Uint8Array(14)), tcp)),
  ],
  [
    'authentication, whose length is counted otherwise',
    51,
    (tcp: Uint8Array) => extend(6, Uint8Array.of(4, ...new Uint8Array(22)), tcp),
  ],
  ['an atomic fragment', 44, (tcp: Uint8Array) => extend(6, new Uint8Array(7), tcp)],
] as const)('IPv6 with %s', ([, protocol, wrap]) => {
  const { tcp, ip } = measureFrame(frames.ethernet!.wrap(ipBytes({ ...six, protocol }, wrap(tcpBytes(segment)))));
  expect([tcp!.packets, tcp!.payloadBytes, ip!.fragments]).toEqual([1, 100, 0]);
});

test.for([
  ['the first fragment of IPv4', ipBytes({ ...four, protocol: 6, fragment: 0x2000 }, tcpBytes(segment))],
  ['a later fragment of IPv4', ipBytes({ ...four, protocol: 6, fragment: 100 }, tcpBytes(segment))],
  [
    'a fragment of IPv6',
    ipBytes({ ...six, protocol: 44 }, extend(6, Uint8Array.of(0, 0, 9, 0, 0, 0, 0), tcpBytes(segment))),
  ],
] as const)('%s is counted, and no TCP is read from it', ([, ip]) => {
  const { ip: counts, tcp, malformedPackets } = measureFrame(frames.ethernet!.wrap(ip));
  expect([counts!.fragments, tcp!.packets, malformedPackets]).toEqual([1, 0, 0]);
});

test('padding after the IP packet is no payload, and a length of 0 (from a card that segments by itself) takes in all of the frame', () => {
  const padded = joinBytes(
    frames.ethernet!.wrap(ipBytes({ ...four, protocol: 6 }, tcpBytes({ ...segment, payload: new Uint8Array(1) }))),
    new Uint8Array(30),
  );
  expect(measureFrame(padded).tcp!.payloadBytes).toBe(1);
  const offloaded = frames.ethernet!.wrap(ipBytes({ ...four, protocol: 6, totalBytes: 0 }, tcpBytes(segment)));
  expect(measureFrame(offloaded).tcp!.payloadBytes).toBe(100);
});

test('a payload that the snap length cut counts as it was on the wire, and a header that it cut is reported', () => {
  const frame = frames.ethernet!.wrap(ipBytes({ ...four, protocol: 6 }, tcpBytes(segment)));
  expect(measureFrame(frame, { snapBytes: 54 })).toMatchObject({
    dataBytes: 154,
    capturedBytes: 54,
    cutPackets: 0,
    tcp: { packets: 1, payloadBytes: 100 },
  });
  for (const snapBytes of [12, 13, 20, 33, 34, 53])
    expect(measureFrame(frame, { snapBytes })).toMatchObject({
      packets: 1,
      dataBytes: 154,
      cutPackets: 1,
      tcp: { packets: 0 },
    });
});

test('a UDP header that the snap length cut is reported, and one that its packet has no room for is malformed', () => {
  const udp = (payloadBytes: number) => udpBytes(5000, 53, new Uint8Array(payloadBytes));
  const frame = (payload: Uint8Array) => frames.ethernet!.wrap(ipBytes({ ...four, protocol: 17 }, payload));
  const whole = frame(udp(20));
  expect(measureFrame(whole, { snapBytes: 42 })).toMatchObject({
    cutPackets: 0,
    malformedPackets: 0,
    udp: { packets: 1 },
  });
  expect(measureFrame(whole, { snapBytes: 41 })).toMatchObject({
    cutPackets: 1,
    malformedPackets: 0,
    udp: { packets: 0 },
  });
  expect(measureFrame(frame(udp(20).subarray(0, 7)))).toMatchObject({
    cutPackets: 0,
    malformedPackets: 1,
    udp: { packets: 0 },
  });
});

test.for([
  ['an IP header that is too short', (bytes: Uint8Array) => bytes.fill(0x44, 14, 15)],
  ['an IP version that is none', (bytes: Uint8Array) => bytes.fill(0x55, 14, 15)],
  ['a TCP header that is too short', (bytes: Uint8Array) => bytes.fill(0x40, 46, 47)],
  ['a TCP header that is longer than its packet', (bytes: Uint8Array) => bytes.fill(0xf0, 46, 47)],
] as const)('%s is counted as malformed', ([, spoil]) => {
  const frame = frames.ethernet!.wrap(
    ipBytes({ ...four, protocol: 6 }, tcpBytes({ ...segment, payload: new Uint8Array(0) })),
  );
  expect(measureFrame(spoil(frame))).toMatchObject({ malformedPackets: 1, tcp: { packets: 0 } });
});

test.for([
  [0, 'BSD loopback', frames.null!.wrap],
  [1, 'Ethernet', frames.ethernet!.wrap],
  [9, 'PPP', frames.ppp!.wrap],
  [12, 'raw IP', frames.raw!.wrap],
  [14, 'raw IP', frames.raw!.wrap],
  [101, 'raw IP', frames.raw!.wrap],
  [108, 'OpenBSD loopback', frames.loop!.wrap],
  [113, 'Linux cooked v1', frames.cooked!.wrap],
  [204, 'PPP with direction', (ip: Uint8Array) => joinBytes(Uint8Array.of(1), frames.ppp!.wrap(ip))],
  [228, 'raw IPv4', frames.raw!.wrap],
  [276, 'Linux cooked v2', frames.cooked2!.wrap],
] as const)('packets of link type %i, %s, are named and read', ([linkType, name, wrap]) => {
  const { linkTypes, tcp } = measureFrame(wrap(ipBytes({ ...four, protocol: 6 }, tcpBytes(segment))), {
    linkTypes: [linkType],
  });
  expect(linkTypes).toEqual([{ name, isDecoded: true, packets: 1 }]);
  expect(tcp).toMatchObject({ packets: 1, payloadBytes: 100 });
});

test('packets of link type 229, raw IPv6, are named and read', () => {
  const { linkTypes, tcp } = measureFrame(ipBytes({ ...six, protocol: 6 }, tcpBytes(segment)), { linkTypes: [229] });
  expect(linkTypes).toEqual([{ name: 'raw IPv6', isDecoded: true, packets: 1 }]);
  expect(tcp).toMatchObject({ packets: 1, payloadBytes: 100 });
});

test('of an unknown link type the packets are counted, and nothing is said of what is in them', () => {
  const { packets, dataBytes, linkTypes, ip, tcp, udp } = measureFrame(new Uint8Array(60), { linkTypes: [105] });
  expect({ packets, dataBytes, linkTypes, ip, tcp, udp }).toEqual({
    packets: 1,
    dataBytes: 60,
    linkTypes: [{ name: 'link type 105', isDecoded: false, packets: 1 }],
    ip: null,
    tcp: null,
    udp: null,
  });
});

test('directions are relative to the local addresses; what is of neither end, or of both, is distinguished', () => {
  const frame = (source: string, destination: string) =>
    frames.ethernet!.wrap(ipBytes({ source, destination, protocol: 17 }, udpBytes(1, 2, new Uint8Array(58))));
  const arp = joinBytes(new Uint8Array(12), Uint8Array.of(8, 6), new Uint8Array(28));
  const all = [
    frame('10.0.0.1', '10.0.0.9'),
    frame('10.0.0.9', '10.0.0.1'),
    frame('10.0.0.9', '10.0.0.1'),
    frame('10.0.0.1', '10.0.0.2'),
    frame('10.0.0.8', '10.0.0.9'),
    arp,
  ];
  const trace = pcapBytes(
    plainShape,
    all.map((bytes) => ({ epochNs: startEpochNs, bytes })),
  );
  const { directions, throughput } = measure(trace, { localAddresses: ['10.0.0.1', '10.0.0.2', '2001:db8::1'] });
  expect(directions).toEqual({
    sent: { packets: 1, bytes: 100 },
    received: { packets: 2, bytes: 200 },
    other: { packets: 3, bytes: 242 },
  });
  expect(throughput).toMatchObject({ all: { bytes: [542] }, sent: { bytes: [100] }, received: { bytes: [200] } });
  expect(measure(trace)).toMatchObject({ directions: null, throughput: { sent: null, received: null } });
});

test('a local address that is none is refused by name', () => {
  expect(() => measure(new Uint8Array(0), { localAddresses: ['10.0.0'] })).toThrow('"10.0.0" is not an IP address');
});

const inner = ipBytes({ ...four, protocol: 6 }, tcpBytes(segment));
const behind = (etherType: number[], header: number[], tags: number[] = []) =>
  joinBytes(new Uint8Array(12), Uint8Array.from([...tags, ...etherType, ...header]), inner);
test.for([
  ['PPPoE', behind([0x88, 0x64], [0x11, 0, 0, 1, 0, 142, 0, 0x21])],
  ['PPPoE', behind([0x88, 0x64], [0x11, 0, 0, 1, 0, 142, 0, 0x21], [0x81, 0, 0, 7])],
  ['MPLS', behind([0x88, 0x47], [0, 1, 1, 64])],
  ['GRE', frames.ethernet!.wrap(ipBytes({ ...four, protocol: 47 }, joinBytes(Uint8Array.of(0, 0, 8, 0), inner)))],
  ['IP in IP', frames.ethernet!.wrap(ipBytes({ ...six, protocol: 4 }, inner))],
  ['VXLAN', frames.ethernet!.wrap(ipBytes({ ...four, protocol: 17 }, udpBytes(5000, 4789, inner)))],
] as const)('%s, which is not looked into, is named', ([name, frame]) => {
  const { carriers, tcp } = measureFrame(frame);
  expect({ carriers, tcp: tcp!.packets }).toEqual({ carriers: [{ name, packets: 1 }], tcp: 0 });
  expect(measureFrame(frames.ethernet!.wrap(inner)).carriers).toBeUndefined();
});

test('every address that is written can be read again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const bytes = parseAddress(text)!;
      const written = formatAddress(bytes, 0, bytes.length as 4 | 16);
      expect(parseAddress(written)).toEqual(bytes);
      if (bytes.length === 16) expect(isIPv6(written)).toBe(true);
    }),
  );
});

test.for([
  ['2001:0db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['fe80:1:0:2:3:4:5:6', 'fe80:1:0:2:3:4:5:6'],
  ['::ffff:192.0.2.1', '::ffff:c000:201'],
] as const)('%s is written as RFC 5952 has it', ([text, canonical]) => {
  expect(formatAddress(parseAddress(text)!, 0, 16)).toBe(canonical);
});

test.for(['', '1.2.3', '1.2.3.256', '1.2.3.4.5', ':::', '1::2::3', '12345::', 'g::', '1:2:3:4:5:6:7', '::1.2.3.400'])(
  '"%s" is no address',
  (text) => {
    expect(parseAddress(text)).toBeNull();
  },
);
