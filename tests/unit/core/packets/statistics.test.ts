import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CaptureStatisticsSchema } from '#core/packets/capture-statistics.ts';
import { ByteSeriesAccumulator } from '#core/packets/measures/byte-series.ts';
import { FlowTable } from '#core/packets/decode/flow-table.ts';
import { decodePacket } from '#core/packets/decode/decode-packet.ts';
import { makeDecodedPacket } from '#core/packets/decode/decoded-packet.ts';
import { makePacketRecord } from '#core/packets/trace/packet-record.ts';
import { formatTwoDecimals, formatSeconds } from '#cli/capinfo/format-digits.ts';
import { handshake, measure, measureSteps, plainShape, tracePackets } from '#tests/support/packets/measure.ts';
import { tcpPacket } from '#tests/support/packets/packet-bytes.ts';
import { pcapBytes } from '#tests/support/packets/trace-bytes.ts';

test('docs/metrics.md says of each packet figure what it is, and not which program has it too', () => {
  const document = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
  const figures = document.slice(
    document.indexOf('## Packet statistics'),
    document.indexOf('### Held against capinfos'),
  );
  expect(figures).toContain('`udp.flows`');
  expect(figures).not.toMatch(/tshark|wireshark|tcp\.analysis|\.stream/i);
});

test('what is reported of a capture survives JSON and its schema', () => {
  for (const trace of [pcapBytes(plainShape, tracePackets(handshake())), pcapBytes(plainShape, [])]) {
    const statistics = measure(trace, { localAddresses: ['10.0.0.1'] });
    expect(CaptureStatisticsSchema.parse(JSON.parse(JSON.stringify(statistics)))).toEqual(statistics);
  }
});

test('a trace without a packet, and one without a duration, have no rates', () => {
  expect(measure(pcapBytes(plainShape, []))).toMatchObject({
    packets: 0,
    dataBytes: 0,
    durationS: null,
    bytesPerS: null,
    packetsPerS: null,
    meanPacketBytes: null,
  });
  expect(measureSteps([handshake()[0]!])).toMatchObject({
    packets: 1,
    durationS: 0,
    bytesPerS: null,
    bitsPerS: null,
    packetsPerS: null,
    meanPacketBytes: 54,
  });
});

test('throughput is reported in bins of 100 ms of wall-clock time, in all and of each connection', () => {
  const { throughput, connections } = measureSteps([...handshake(95), ...handshake(1000)]);
  const bins = { binMs: 100, bins: [17_000_000_000, 17_000_000_001, 17_000_000_010], bytes: [54, 108, 162] };
  expect(throughput.all).toEqual(bins);
  expect(connections.map((connection) => connection.throughput)).toEqual([bins]);
});

test('bytes in bins add up in any order of the packets, and however few bins may be kept', () => {
  const packets = fc.array(
    fc.record({ epochMs: fc.integer({ min: -5000, max: 100_000 }), bytes: fc.integer({ min: 1, max: 1500 }) }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(packets, fc.integer({ min: 2, max: 50 }), (all, maximumBins) => {
      const series = new ByteSeriesAccumulator(maximumBins);
      for (const { epochMs, bytes } of all) series.add(epochMs, bytes);
      const { binMs, bins, bytes } = series.finish();
      expect(bins.length).toBeLessThanOrEqual(maximumBins);
      const expected = new Map<number, number>();
      for (const each of all)
        expected.set(
          Math.floor(each.epochMs / binMs),
          (expected.get(Math.floor(each.epochMs / binMs)) ?? 0) + each.bytes,
        );
      expect(bins.map((bin, index) => [bin, bytes[index]])).toEqual([...expected].sort(([a], [b]) => a - b));
    }),
  );
});

test('every pair of endpoints is one flow, in either direction, however many there are', () => {
  const table = new FlowTable();
  const flows = new Map<string, number>();
  const packet = makeDecodedPacket();
  const find = (source: [string, number], destination: [string, number]) => {
    const bytes = tcpPacket({
      source: source[0],
      sourcePort: source[1],
      destination: destination[0],
      destinationPort: destination[1],
      sequence: 1,
      flags: 'A',
    });
    decodePacket(
      { ...makePacketRecord(), bytes, capturedBytes: bytes.length, originalBytes: bytes.length, linkType: 101 },
      packet,
    );
    const found = table.find(bytes, packet);
    if (found === undefined) table.set(flows.size);
    return found;
  };
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 3000; index++) {
      const a: [string, number] = index % 3 === 0 ? ['2001:db8::7', index] : ['10.0.0.7', index];
      const b: [string, number] =
        index % 3 === 0 ? [`2001:db8::${(index % 50).toString(16)}:1`, 80] : [`10.0.1.${index % 50}`, 80];
      const key = `${a.join()}-${b.join()}`;
      expect(find(...(round === 0 ? ([a, b] as const) : ([b, a] as const)))).toBe(flows.get(key));
      if (!flows.has(key)) flows.set(key, flows.size);
    }
  }
});

test.for([
  [71.125, '71.12'],
  [71.375, '71.38'],
  [0.5, '0.50'],
  [2.675, '2.67'],
  [1e15 + 0.5, '1000000000000000.50'],
  [67_108_864, '67108864.00'],
] as const)('%f is written %s, as printf does', ([value, text]) => {
  expect(formatTwoDecimals(value)).toBe(text);
});

test.for([
  [1_700_000_000_123_456_789n, 9, '1700000000.123456789'],
  [-1_500_000_000n, 3, '-1.500'],
  [7n, 6, '0.000000'],
  [12_000_000_000n, 0, '12'],
] as const)('%d ns are %i digits of seconds: %s', ([ns, digits, text]) => {
  expect(formatSeconds(ns, digits)).toBe(text);
});
