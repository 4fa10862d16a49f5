import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '#core/app-error.ts';
import { CaptureStatisticsSchema } from '#core/packets/capture-statistics.ts';
import { handshake, measure, plainShape, tracePackets, type Step } from '#tests/support/packets/measure.ts';
import { frames, tcpPacket } from '#tests/support/packets/packet-bytes.ts';
import { clientHello, applicationProtocols } from '#tests/support/packets/tls-bytes.ts';
import { pcapBytes, pcapngBytes } from '#tests/support/packets/trace-bytes.ts';

const steps: Step[] = [
  ...handshake(),
  {
    atMs: 11,
    way: '>',
    flags: 'PA',
    sequence: 1001,
    acknowledgement: 5001,
    payload: clientHello([applicationProtocols('h2')]),
  },
];
const six = tcpPacket({
  source: '2001:db8::1',
  destination: '2001:db8::2',
  sourcePort: 1,
  destinationPort: 2,
  sequence: 1,
  flags: 'S',
});

const traces = Object.values(frames).flatMap(({ linkType, wrap }) => {
  const packets = tracePackets(steps).map(({ epochNs, bytes }) => ({ epochNs, bytes: wrap(bytes.subarray(14)) }));
  const all = [...packets, { epochNs: packets.at(-1)!.epochNs + 1n, bytes: wrap(six) }];
  const shape = { ...plainShape, linkTypes: [linkType] };
  return [
    pcapBytes(shape, all),
    pcapBytes({ ...shape, littleEndian: false }, all),
    pcapngBytes(shape, all),
    pcapngBytes({ ...shape, littleEndian: false, isTwoSections: true }, all),
  ];
});

const damage = fc.record({
  trace: fc.constantFrom(...traces),
  changes: fc.array(
    fc.record({ place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), byte: fc.nat(255) }),
    { minLength: 1, maxLength: 8 },
  ),
  length: fc.double({ min: 0, max: 1, noNaN: true }),
  chunkBytes: fc.integer({ min: 1, max: 2000 }),
});

function spoil({
  trace,
  changes,
  length,
}: {
  trace: Uint8Array;
  changes: { place: number; byte: number }[];
  length: number;
}): Uint8Array {
  const spoiled = Uint8Array.from(trace.subarray(0, Math.ceil(length * trace.length)));
  for (const { place, byte } of changes) spoiled[Math.floor(place * spoiled.length)] = byte;
  return spoiled;
}

test('a trace with any bytes wrong or missing gives statistics that hold together, or is reported to be none', () => {
  fc.assert(
    fc.property(damage, (each) => {
      const spoiled = spoil(each);
      try {
        const statistics = CaptureStatisticsSchema.parse(measure(spoiled, each));
        const { packets, tcp, udp, linkTypes, malformedPackets, cutPackets } = statistics;
        expect(linkTypes.reduce((sum, { packets: some }) => sum + some, 0)).toBe(packets);
        expect((tcp?.packets ?? 0) + (udp?.packets ?? 0) + malformedPackets + cutPackets).toBeLessThanOrEqual(packets);
        expect(tcp === null || tcp.connections === tcp.opened + tcp.failed + tcp.joined).toBe(true);
        expect(measure(spoiled)).toEqual(statistics);
        // What was read before the damage is what a trace that ends there holds.
        if (statistics.damage !== null)
          expect(measure(spoiled.subarray(0, statistics.damage.readToBytes))).toEqual({ ...statistics, damage: null });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(error.code).toBe('not-a-trace');
      }
    }),
    { numRuns: 2000 },
  );
});

test('random bytes after the magic of a trace never break the reading', () => {
  const magics = [
    [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0],
    [0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0],
    [0x0a, 0x0d, 0x0d, 0x0a, 0x1c, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0],
  ];
  fc.assert(
    fc.property(fc.constantFrom(...magics), fc.uint8Array({ maxLength: 500 }), (magic, rest) => {
      try {
        CaptureStatisticsSchema.parse(measure(Uint8Array.from([...magic, ...rest])));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(error.code).toBe('not-a-trace');
      }
    }),
    { numRuns: 2000 },
  );
});
