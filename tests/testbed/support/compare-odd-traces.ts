import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { compareFile } from '#cli/capinfo/against/compare-captures.ts';
import { formatAsCapinfos } from '#cli/capinfo/against/read-capinfos.ts';
import { pickTsharkTcp, type TsharkTcp } from '#cli/capinfo/against/read-tshark.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import {
  handshake,
  measure,
  plainShape,
  startEpochNs,
  tracePackets,
  type Step,
} from '#tests/support/packets/measure.ts';
import { frames, ipBytes, joinBytes, tcpBytes, tcpPacket, udpBytes } from '#tests/support/packets/packet-bytes.ts';
import { pseudoHeaders } from '#tests/support/packets/pseudo-headers.ts';
import { inventDownload } from '#tests/support/packets/random-conversation.ts';
import { pcapBytes, pcapngBytes, type TracePacket } from '#tests/support/packets/trace-bytes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { expectSameFigures, expectSameTcp } from './expect-same.ts';
import type { Wireshark } from './wireshark.ts';

const server = { address: '192.0.2.1', port: 80 };
const data = (atMs: number, sequence: number, more: Partial<Step> = {}): Step => ({
  atMs,
  way: '>',
  flags: 'PA',
  sequence,
  acknowledgement: 5001,
  payloadBytes: 100,
  ...more,
});

/** Two of one flow, one of another. */
function datagrams(): TracePacket[] {
  const [client, resolver] = ['10.0.0.1', '192.0.2.53'];
  return [
    [client, 4000, resolver, 53],
    [resolver, 53, client, 4000],
    [client, 4001, resolver, 53],
  ].map(([source, sourcePort, destination, destinationPort], index) => ({
    epochNs: startEpochNs + BigInt(1e9 + index * 1e6),
    bytes: frames.ethernet!.wrap(
      ipBytes(
        { source: String(source), destination: String(destination), protocol: 17 },
        udpBytes(Number(sourcePort), Number(destinationPort), new Uint8Array(30)),
      ),
    ),
  }));
}

/** Port unreachable. */
function icmpErrorOf(ip: Uint8Array): Uint8Array {
  const header = Uint8Array.of(3, 3, 0, 0, 0, 0, 0, 0);
  return ipBytes({ source: '192.0.2.53', destination: '10.0.0.1', protocol: 1 }, joinBytes(header, ip));
}

function fragmentsOf(payload: Uint8Array): TracePacket[] {
  const ends = { source: '10.0.0.1', destination: '192.0.2.53', protocol: 17, identification: 7 };
  const datagram = udpBytes(4000, 5000, payload);
  return [
    ipBytes({ ...ends, fragment: 0x2000 }, datagram.subarray(0, 48)),
    ipBytes({ ...ends, fragment: 6 }, datagram.subarray(48)),
  ].map((bytes) => ({ epochNs: startEpochNs, bytes: frames.ethernet!.wrap(bytes) }));
}

/** tshark's are distinguished by the host that sent them, where both ends have such addresses. */
function addUp(counts: readonly TsharkTcp[]): TsharkTcp {
  const names = Object.keys(counts[0]!) as (keyof TsharkTcp)[];
  return Object.fromEntries(
    names.map((name) => [name, counts.reduce((sum, each) => sum + each[name], 0)]),
  ) as unknown as TsharkTcp;
}

const stamp = (segments: ReturnType<typeof inventDownload>) =>
  segments.map(({ atNs, fields }) => ({
    epochNs: startEpochNs + BigInt(atNs),
    bytes: frames.ethernet!.wrap(tcpPacket(fields)),
  }));

/** A delay below 0 is a round trip to tshark (docs/metrics.md). */
const withoutAcks = (tcp: TsharkTcp): TsharkTcp => ({ ...tcp, acks: 0 });

/** That odd traces are counted as capinfos and tshark count them, or differ as is documented. */
export function compareOddTraces(wireshark: Wireshark): void {
  const { series } = wireshark;

  /** What both say of one trace between hosts whose addresses begin with `10.`, and how many of its packets fit a display filter of tshark. */
  const askBoth = async (trace: Uint8Array, filter = 'tcp') => ({
    ours: pickTsharkTcp(measure(trace).tcp!),
    theirs: addUp([...(await wireshark.readTcp(trace)).values()]),
    fitting: await wireshark.countPackets(trace, filter),
    figures: (await wireshark.readFigures(new Map([['trace', trace]]))).get('trace'),
  });

  test('a trace whose packets are out of time order is counted as tshark counts it', async () => {
    const random = createRandom(5);
    const conversations = Array.from({ length: 60 }, (_, index): [string, TracePacket[]] => {
      const address = `10.0.1.${index}`;
      const packets = stamp(inventDownload({ client: { address, port: 40_000 }, server }, random));
      // Neighbours change places, as where two interfaces were captured.
      for (let place = 3; place + 1 < packets.length; place += 1 + Math.floor(random() * 4))
        packets.splice(place, 2, packets[place + 1]!, packets[place]!);
      return [address, packets];
    });
    const all = pcapBytes(
      plainShape,
      conversations.flatMap(([, packets]) => packets),
    );
    const theirs = await wireshark.readTcp(all);
    const pairs = conversations.map(([name, packets]) => ({
      name,
      ours: withoutAcks(pickTsharkTcp(measure(pcapBytes(plainShape, packets)).tcp!)),
      theirs: withoutAcks(theirs.get(name)!),
    }));
    expect(pairs.some(({ ours }) => ours.retransmissions > 0)).toBe(true);
    expectSameTcp(pairs, series);
  });

  test.for([
    [
      'PPP',
      pcapBytes(
        { ...plainShape, linkTypes: [9] },
        tracePackets([...handshake(), data(20, 1001)]).map(({ epochNs, bytes }) => ({
          epochNs,
          bytes: frames.ppp!.wrap(bytes.subarray(14)),
        })),
      ),
    ],
    [
      'lengths on the wire below the captured ones',
      pcapBytes(
        plainShape,
        tracePackets([...handshake(), data(20, 1001)]).map((packet) => ({ ...packet, wireBytes: 30 })),
      ),
    ],
    [
      "Kuznetzov's pcap",
      pcapBytes({ ...plainShape, timeDigits: 6, isModified: true }, tracePackets([...handshake(), data(20, 1001)])),
    ],
  ] as const)('%s is counted as tshark and capinfos count it', async ([, trace]) => {
    const { ours, theirs, figures } = await askBoth(trace);
    expect(ours).toMatchObject({ packets: 4, connections: 1 });
    expectSameTcp([{ name: 'trace', ours, theirs }], series);
    expect(formatAsCapinfos(measure(trace))).toEqual(figures);
  });

  test.for([
    [
      'pcap',
      (bytes: Uint8Array) => pcapBytes({ ...plainShape, linkTypes: [0x2400_0001] }, [{ epochNs: startEpochNs, bytes }]),
    ],
    [
      'pcapng',
      (bytes: Uint8Array) => pcapngBytes({ ...plainShape, checkBytes: 4 }, [{ epochNs: startEpochNs, bytes }]),
    ],
  ] as const)('a frame check sequence in %s is as little payload as it is to tshark', async ([, write]) => {
    const segment = tcpBytes({
      source: '',
      destination: '',
      sourcePort: 1,
      destinationPort: 2,
      sequence: 1,
      flags: 'A',
      payload: new Uint8Array(100),
    });
    const trace = write(
      joinBytes(
        frames.ethernet!.wrap(
          ipBytes({ source: '10.0.0.1', destination: '10.0.0.2', protocol: 6, totalBytes: 0 }, segment),
        ),
        new Uint8Array(4),
      ),
    );
    expect(measure(trace).tcp!.payloadBytes).toBe(100);
    expect((await askBoth(trace, 'tcp.len == 100')).fitting).toBe(1);
  });

  test('pseudo-headers, and the versions of pcapng, are read as capinfos reads them', async () => {
    const traces = new Map<string, Uint8Array>([
      ['version 1.1', pcapngBytes({ ...plainShape, minorVersion: 1 }, tracePackets(handshake()))],
      ['version 1.2', pcapngBytes({ ...plainShape, minorVersion: 2 }, tracePackets(handshake()))],
    ]);
    for (const { linkType, name, header } of pseudoHeaders) {
      const whole = joinBytes(header, new Uint8Array(40));
      // All at one time: that of an ERF record counts for capinfos, not that of pcap.
      const packets = [whole, whole.subarray(0, header.length + 8)].map((bytes) => ({
        epochNs: startEpochNs,
        bytes,
        wireBytes: whole.length,
      }));
      const shape = { ...plainShape, linkTypes: [linkType] };
      traces.set(`${name}.pcap`, pcapBytes(shape, packets));
      traces.set(`${name}.pcapng`, pcapngBytes(shape, packets));
    }
    const figures = await wireshark.readFigures(traces);
    traces.delete('version 1.1');
    const ours = new Map([...traces].map(([name, trace]) => [name, formatAsCapinfos(measure(trace))]));
    expectSameFigures(ours, figures, series);
  });

  test.for([
    ['an EtherType', [0, 0, 0x08, 0x00]],
    ['an EtherType in the other byte order', [0x00, 0x08, 0, 0]],
    ['an EtherType of a VLAN', [0, 0, 0x81, 0x00, 0, 7, 0x08, 0x00]],
    ['a family of 16 bits', [0, 2, 0, 0]],
    ['PPP', [0xff, 0x03, 0x00, 0x21]],
    ['a family that is not IP', [0, 0, 0, 16]],
  ] as const)('BSD loopback with %s is counted as tshark counts it', async ([, header]) => {
    const packets = tracePackets(handshake()).map(({ epochNs, bytes }) => ({
      epochNs,
      bytes: joinBytes(Uint8Array.from(header), bytes.subarray(14)),
    }));
    const trace = pcapBytes({ ...plainShape, linkTypes: [0] }, packets);
    const theirs = await wireshark.readCounts(trace);
    expectSameTcp([{ name: 'trace', ours: pickTsharkTcp(measure(trace).tcp!), theirs: theirs.tcp }], series);
  });

  test('a comparison of captures says which figures differ, and which files only one of both reads', async () => {
    await using folder = await makeTemporaryFolder();
    const [first, ...others] = tracePackets(handshake());
    const timeless = pcapngBytes({ ...plainShape, packetBlock: 'simple' }, [first!]);
    const traces = {
      equal: pcapBytes(plainShape, [...tracePackets([...handshake(), data(20, 1001)]), ...datagrams()]),
      timeless: joinBytes(timeless, pcapngBytes(plainShape, others).subarray(pcapngBytes(plainShape, []).length)),
      nothing: new Uint8Array(0),
      text: new TextEncoder().encode('This is no capture at all.'),
    };
    const compared: unknown[] = [];
    for (const [name, trace] of Object.entries(traces)) {
      const file = path.join(folder.path, name);
      await writeFile(file, trace);
      const result = await compareFile(file, {
        series,
        readFigures: async () => (await wireshark.readFigures(new Map([['trace', trace]]))).get('trace') ?? null,
        readCounts: () => wireshark.readCounts(trace),
      });
      compared.push([name, result.readBy, result.isCounted, ...result.differences]);
    }
    expect(compared).toEqual([
      ['equal', 'both', true],
      ['timeless', 'both', true, { program: 'tshark', figure: 'tcp.acks', here: '1', there: '2' }],
      ['nothing', 'capinfos', false],
      ['text', 'neither', false],
    ]);
  });

  /** docs/metrics.md has each of these: a difference that goes away is to be taken out there. */
  test('what docs/metrics.md names as different is different', async () => {
    const odd: Step[] = [
      { atMs: 20, way: '<', flags: 'SA', sequence: 9000, acknowledgement: 1001 },
      { atMs: 30, way: '>', flags: 'SF', sequence: 2500 },
    ];
    const reused = pcapBytes(plainShape, tracePackets([...handshake(), ...odd]));
    expect(measure(reused).tcp!.reusedPorts).toBe(1);
    expect((await askBoth(reused, 'tcp.analysis.reused_ports')).fitting).toBe(2);

    const options = new Uint8Array(12).fill(1);
    const cut = await askBoth(
      pcapBytes({ ...plainShape, snapBytes: 58 }, tracePackets(handshake().map((step) => ({ ...step, options })))),
    );
    expect([cut.ours.acks, cut.theirs.acks]).toEqual([2, 0]);

    const [first, ...others] = tracePackets(handshake());
    const timeless = pcapngBytes({ ...plainShape, packetBlock: 'simple' }, [first!]);
    const mixed = await askBoth(
      joinBytes(timeless, pcapngBytes(plainShape, others).subarray(pcapngBytes(plainShape, []).length)),
    );
    expect([mixed.ours.acks, mixed.theirs.acks]).toEqual([1, 2]);

    expect(() => measure(new Uint8Array(0))).toThrow('is not a trace');

    // A datagram in an error of ICMP, and one in two fragments.
    const [one] = datagrams();
    const quoted = pcapBytes(plainShape, [
      { ...one!, bytes: frames.ethernet!.wrap(icmpErrorOf(one!.bytes.subarray(14))) },
    ]);
    expect([measure(quoted).udp!.flows, (await wireshark.readCounts(quoted)).udp.flows]).toEqual([0, 1]);
    const halves = pcapBytes(plainShape, fragmentsOf(new Uint8Array(100)));
    expect([measure(halves).udp!.flows, (await wireshark.readCounts(halves)).udp.flows]).toEqual([0, 1]);
  });
}
