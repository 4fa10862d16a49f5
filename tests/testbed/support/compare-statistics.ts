import { expect, test } from 'vitest';
import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { formatAsCapinfos } from '#cli/capinfo/against/read-capinfos.ts';
import { pickTsharkTcp } from '#cli/capinfo/against/read-tshark.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { measure, plainShape, startEpochNs } from '#tests/support/packets/measure.ts';
import { frames, ipBytes, tcpPacket, udpBytes } from '#tests/support/packets/packet-bytes.ts';
import {
  inventConversation,
  inventDownload,
  type Random,
  type TimedSegment,
} from '#tests/support/packets/random-conversation.ts';
import { pcapBytes, pcapngBytes, type TracePacket } from '#tests/support/packets/trace-bytes.ts';
import { expectSameFigures, expectSameTcp } from './expect-same.ts';
import type { Wireshark } from './wireshark.ts';

const server = { address: '192.0.2.1', port: 80 };

/** A trace's packets: some conversations, UDP, and what is neither, in frames of one link type, at times that begin anywhere. */
function inventPackets(random: Random, wrap: (ip: Uint8Array) => Uint8Array): TracePacket[] {
  const beginNs = startEpochNs + BigInt(Math.floor(random() * 1e15));
  const conversations = [inventConversation, inventDownload].map((invent, index) =>
    invent({ client: { address: `10.0.0.${index + 1}`, port: 40_000 + index }, server }, random),
  );
  const datagram = ipBytes(
    { source: '2001:db8::1', destination: '2001:db8::2', protocol: 17 },
    udpBytes(1, 2, new Uint8Array(Math.floor(random() * 1000))),
  );
  const packets = conversations.flat().map(({ atNs, fields }) => ({ atNs, ip: tcpPacket(fields) }));
  return [...packets, { atNs: Math.floor(random() * 1e9), ip: datagram }]
    .toSorted((a, b) => a.atNs - b.atNs)
    .slice(0, 1 + Math.floor(random() * 150))
    .map(({ atNs, ip }) => ({ epochNs: beginNs + BigInt(atNs), bytes: wrap(ip) }));
}

/** Traces in all formats, by name. */
function inventTraces(random: Random): Map<string, Uint8Array> {
  const traces = new Map<string, Uint8Array>();
  for (const [frame, { linkType, wrap }] of Object.entries(frames)) {
    for (const littleEndian of [true, false]) {
      for (const timeDigits of [6, 9] as const) {
        for (const snapBytes of [262_144, 96]) {
          const shape = { littleEndian, timeDigits, linkTypes: [linkType], snapBytes };
          const name = `${frame}-${littleEndian ? 'little' : 'big'}-${timeDigits}-${snapBytes}`;
          traces.set(`${name}.pcap`, pcapBytes(shape, inventPackets(random, wrap)));
          traces.set(`${name}.pcapng`, pcapngBytes(shape, inventPackets(random, wrap)));
        }
      }
    }
  }
  const { wrap } = frames.ethernet!;
  for (const timeResolution of [0, 1, 3, 9, 0x80, 0x80 + 10, 0x80 + 20, 0x80 + 30]) {
    traces.set(
      `resolution-${timeResolution}.pcapng`,
      pcapngBytes({ ...plainShape, timeResolution, timeOffsetS: 1_000_000n }, inventPackets(random, wrap)),
    );
  }
  for (const packetBlock of ['simple', 'old'] as const)
    traces.set(`${packetBlock}.pcapng`, pcapngBytes({ ...plainShape, packetBlock }, inventPackets(random, wrap)));
  const interfaces = inventPackets(random, (ip) => ip).map((packet, index) =>
    index % 2 === 0 ? packet : { ...packet, interfaceIndex: 1, bytes: wrap(packet.bytes) },
  );
  traces.set('interfaces.pcapng', pcapngBytes({ ...plainShape, linkTypes: [101, 1] }, interfaces));
  traces.set('sections.pcapng', pcapngBytes({ ...plainShape, isTwoSections: true }, inventPackets(random, wrap)));
  traces.set('empty.pcap', pcapBytes(plainShape, []));
  return traces;
}

/** Null when it is no trace. */
function measureIfTrace(trace: Uint8Array): CaptureStatistics | null {
  try {
    return measure(trace);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-a-trace') return null;
    throw error;
  }
}

/** That our figures of packets and of TCP are those of capinfos and tshark. */
export function compareStatistics(wireshark: Wireshark): void {
  const { series } = wireshark;

  test('every figure that capinfos prints is the same to its last digit, over traces of every format, whole and cut off', async () => {
    const random = createRandom(1);
    const traces = inventTraces(random);
    for (const [name, trace] of [...traces])
      traces.set(`cut-${name}`, trace.subarray(0, 100 + Math.floor(random() * (trace.length - 100))));
    const figures = await wireshark.readFigures(traces);

    expect(traces.size).toBeGreaterThanOrEqual(200);
    const ours = new Map([...traces].map(([name, trace]) => [name, formatAsCapinfos(measure(trace))]));
    expectSameFigures(ours, figures, series);
  });

  test('of traces with wrong bytes, what both read to the end has the same figures', async () => {
    const random = createRandom(2);
    const spoiled = new Map<string, Uint8Array>();
    for (const [name, trace] of inventTraces(random)) {
      const copy = Uint8Array.from(trace.subarray(0, 4000));
      for (let change = 0; change < 3; change++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
      spoiled.set(name, copy);
    }
    const figures = await wireshark.readFigures(spoiled);
    const compared = [...spoiled].flatMap(([name, trace]) => {
      const statistics = measureIfTrace(trace);
      const theirs = figures.get(name);
      // capinfos compares times by a difference of 32 bits.
      if (statistics === null || statistics.damage?.kind === 'corrupt' || (statistics.durationS ?? 0) >= 2 ** 31)
        return [];
      return theirs === undefined ? [] : [{ name, ours: formatAsCapinfos(statistics), theirs }];
    });
    expect(compared.length).toBeGreaterThan(50);
    expectSameFigures(
      new Map(compared.map(({ name, ours }) => [name, ours])),
      new Map(compared.map(({ name, theirs }) => [name, theirs])),
      series,
    );
  });

  test.for([
    ['conversations without much sense', inventConversation, 400],
    ['downloads with loss, disorder and doubled segments', inventDownload, 200],
  ] as const)('TCP of %s is counted as tshark counts it', async ([, invent, count]) => {
    const random = createRandom(3);
    const conversations = Array.from({ length: count }, (_, index): [string, TimedSegment[]] => {
      const address = `10.0.${index >> 8}.${index & 255}`;
      return [address, invent({ client: { address, port: 40_000 }, server }, random)];
    });
    const packetsOf = (segments: TimedSegment[]): TracePacket[] =>
      segments.map(({ atNs, fields }) => ({
        epochNs: startEpochNs + BigInt(atNs),
        bytes: frames.ethernet!.wrap(tcpPacket(fields)),
      }));
    const all = pcapBytes(
      plainShape,
      conversations.flatMap(([, segments]) => packetsOf(segments)),
    );
    const theirs = await wireshark.readTcp(all);
    const pairs = conversations.map(([address, segments]) => ({
      name: address,
      ours: pickTsharkTcp(measure(pcapBytes(plainShape, packetsOf(segments))).tcp!),
      theirs: theirs.get(address),
    }));
    expectSameTcp(pairs, series);
  });

  test('round trips are those of tshark to the nanosecond, where nothing was sent twice', async () => {
    const random = createRandom(4);
    const segments = inventDownload({ client: { address: '10.0.0.1', port: 40_000 }, server }, random, {
      lossRatio: 0,
    });
    const trace = pcapBytes(
      plainShape,
      segments.map(({ atNs, fields }) => ({
        epochNs: startEpochNs + BigInt(atNs),
        bytes: frames.ethernet!.wrap(tcpPacket(fields)),
      })),
    );
    const { ackRttMs, initialRttMs } = await wireshark.readRoundTrips(trace);

    const { ackRtt, handshakeRtt } = measure(trace).tcp!;
    expect(ackRtt).toEqual({
      count: ackRttMs.length,
      minMs: Math.min(...ackRttMs),
      meanMs: expect.closeTo(ackRttMs.reduce((sum, value) => sum + value) / ackRttMs.length, 9) as number,
      maxMs: Math.max(...ackRttMs),
    });
    expect(handshakeRtt!.meanMs).toBe(initialRttMs);
  });
}
