import { expect, test } from 'vitest';
import { handshake, measure, plainShape, startEpochNs, tracePackets } from '#tests/support/packets/measure.ts';
import { pcapBytes, pcapngBytes } from '#tests/support/packets/trace-bytes.ts';

const packets = tracePackets(handshake());

test.for([
  ['little-endian', { littleEndian: true }],
  ['big-endian', { littleEndian: false }],
] as const)('%s pcap with nanoseconds keeps every digit of time', (_, shape) => {
  const odd = packets.map((packet, index) => ({ ...packet, epochNs: packet.epochNs + BigInt(index) }));
  const {
    startEpochNs: start,
    endEpochNs: end,
    durationS,
    timeDigits,
  } = measure(pcapBytes({ ...plainShape, ...shape }, odd));
  expect({ start, end, durationS, timeDigits }).toEqual({
    start: String(startEpochNs),
    end: String(startEpochNs + 10_500_002n),
    durationS: 0.010_500_002,
    timeDigits: { start: 9, end: 9 },
  });
});

test('pcapng: two sections of both byte orders, in which the interfaces begin again', () => {
  const { packets: count, tcp } = measure(pcapngBytes({ ...plainShape, isTwoSections: true }, packets));
  expect(count).toBe(6);
  expect(tcp!.connections).toBe(1);
});

test('pcapng: version 1.2 is read as 1.0, and no other is', () => {
  const write = (minorVersion: number) => pcapngBytes({ ...plainShape, minorVersion }, packets);
  expect(measure(write(2))).toEqual(measure(write(0)));
  expect(() => measure(write(1))).toThrow('a section has pcapng version 1.1; only 1.0 and 1.2 can be read');
  const { packets: count, damage } = measure(new Uint8Array(Buffer.concat([write(0), write(3)])));
  expect([count, damage!.kind]).toEqual([3, 'corrupt']);
});

test('pcapng: each packet is decoded by the link type of its own interface', () => {
  const raw = { ...packets[0]!, bytes: packets[0]!.bytes.subarray(14), interfaceIndex: 1 };
  const { linkTypes, tcp } = measure(pcapngBytes({ ...plainShape, linkTypes: [1, 101] }, [packets[0]!, raw]));
  expect(linkTypes.map(({ name, packets: count }) => [name, count])).toEqual([
    ['Ethernet', 1],
    ['raw IP', 1],
  ]);
  expect(tcp!.syn).toBe(2);
});

test.for([
  ['milliseconds', 3, 0n, 3, '1700000000010000000'],
  ['units of 2^-20 s', 0x80 + 20, 0n, 6, '1700000000010499954'],
  ['picoseconds, which overflow 64 bits of nanoseconds elsewhere', 12, 1_699_999_000n, 9, '1700000000010500000'],
  ['an offset in seconds', 9, 1_000_000_000n, 9, '1700000000010500000'],
] as const)('pcapng: times in %s', ([, timeResolution, timeOffsetS, digits, end]) => {
  const statistics = measure(pcapngBytes({ ...plainShape, timeResolution, timeOffsetS }, packets));
  expect([statistics.endEpochNs, statistics.timeDigits.end]).toEqual([end, digits]);
});

test('pcapng: one packet without a time leaves all times unknown, and no rate is made up', () => {
  const statistics = measure(pcapngBytes({ ...plainShape, packetBlock: 'simple' }, packets));
  expect(statistics).toMatchObject({
    packets: 3,
    startEpochNs: null,
    endEpochNs: null,
    durationS: null,
    bytesPerS: null,
    meanPacketBytes: 54,
    tcp: { handshakeRtt: null, ackRtt: null },
  });
  expect(statistics.throughput.all.bins).toEqual([]);
  expect(statistics.connections).toMatchObject([{ startMs: null, endMs: null, throughput: { bins: [] } }]);
});

test.for(['e', 'en', 'en1', 'eth0', 'eth0.', 'eth0.7', 'eth0.70', 'eth0.701'])(
  'pcapng: the interface %s has its other options whatever the length of its name',
  (interfaceName) => {
    const shape = { ...plainShape, interfaceName, timeResolution: 3, timeOffsetS: 5n };
    for (const littleEndian of [true, false])
      expect(measure(pcapngBytes({ ...shape, littleEndian }, packets))).toEqual(
        measure(pcapngBytes({ ...plainShape, littleEndian, timeResolution: 3, timeOffsetS: 5n }, packets)),
      );
  },
);

test('a simple packet block is whole where its interface has no snap length', () => {
  const simple = { ...plainShape, packetBlock: 'simple' as const };
  const { capturedBytes, dataBytes, tcp } = measure(pcapngBytes({ ...simple, snapBytes: 0 }, packets));
  expect(capturedBytes).toBe(dataBytes);
  expect(tcp).toEqual(measure(pcapngBytes(simple, packets)).tcp);
});

test('a simple packet block is cut by the snap length of its interface', () => {
  const { dataBytes, capturedBytes } = measure(
    pcapngBytes({ ...plainShape, packetBlock: 'simple', snapBytes: 40 }, packets),
  );
  expect([dataBytes, capturedBytes]).toEqual([162, 120]);
});

test.for([1, 3, 7, 64, 1000])('chunks of %i bytes give what the whole gives', (chunkBytes) => {
  for (const trace of [pcapBytes(plainShape, packets), pcapngBytes(plainShape, packets)])
    expect(measure(trace, { chunkBytes })).toEqual(measure(trace));
});

test.for([
  ['pcap', pcapBytes(plainShape, packets)],
  ['pcapng', pcapngBytes(plainShape, packets)],
] as const)('a %s that is cut anywhere gives what came before, and says up to where', ([, trace]) => {
  const known = new Set([0, 1, 2, 3]);
  for (let length = 28; length < trace.length; length++) {
    const { packets: count, damage } = measure(trace.subarray(0, length));
    known.delete(count);
    if (damage === null) continue; // between two packets
    expect(damage.kind).toBe('truncated');
    expect(damage.readToBytes).toBeLessThan(length);
    expect(measure(trace.subarray(0, damage.readToBytes))).toMatchObject({ packets: count, damage: null });
  }
  expect([...known]).toEqual([3]);
});

test('a length that no packet can have ends the reading, with what stood before it', () => {
  const trace = pcapBytes(plainShape, packets);
  new DataView(trace.buffer).setUint32(24 + 70 + 8, 300_000, true);
  expect(measure(trace)).toMatchObject({
    packets: 1,
    damage: { kind: 'corrupt', readToBytes: 94, problem: 'a packet claims to have 300000 bytes; the limit is 262144' },
  });
});

test.for([
  ['nothing', '', 'ends before the end of a trace header'],
  ['text', 'root:x:0:0:root:/root:/bin/bash', 'begins with 726f6f74'],
  ['a magic and no more', '\xd4\xc3\xb2\xa1', 'ends before the end of a trace header'],
  ['a section without a byte order', '\x0a\x0d\x0d\x0a\x1c\0\0\0abcdefghijklmnopqrst', 'no byte order'],
  ['an old version', '\xd4\xc3\xb2\xa1\x01\0\0\0aaaaaaaaaaaaaaaaaaaaaaaa', 'version 1.0'],
] as const)('%s is reported to be no trace', ([, bytes, message]) => {
  expect(() => measure(Uint8Array.from(Buffer.from(bytes, 'latin1')))).toThrow(
    expect.objectContaining({ code: 'not-a-trace', message: expect.stringContaining(message) as string }),
  );
});
