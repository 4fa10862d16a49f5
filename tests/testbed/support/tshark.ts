import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TcpSummary } from '#core/packets/tcp/tcp-summary.ts';

const run = promisify(execFile);

/** What tshark found, under the names of `TcpSummary`. */
export interface TsharkTcp {
  connections: number;
  packets: number;
  syn: number;
  synAck: number;
  fin: number;
  rst: number;
  retransmissions: number;
  fastRetransmissions: number;
  spuriousRetransmissions: number;
  outOfOrder: number;
  duplicateAcks: number;
  zeroWindows: number;
  keepAlives: number;
  /** Acknowledgements that have a round trip. */
  acks: number;
}

const analysis = {
  fastRetransmissions: 'fast_retransmission',
  spuriousRetransmissions: 'spurious_retransmission',
  outOfOrder: 'out_of_order',
  duplicateAcks: 'duplicate_ack',
  zeroWindows: 'zero_window',
  keepAlives: 'keep_alive',
} as const;
const findingNames = Object.keys(analysis) as (keyof typeof analysis)[];
const flagBits = { fin: 1, syn: 2, rst: 4, ack: 16 };

const fields = [
  'ip.src',
  'ip.dst',
  'tcp.stream',
  'tcp.flags',
  'tcp.analysis.retransmission',
  'tcp.analysis.ack_rtt',
  ...findingNames.map((name) => `tcp.analysis.${analysis[name]}`),
];

const nothing: TsharkTcp = {
  connections: 0,
  packets: 0,
  syn: 0,
  synAck: 0,
  fin: 0,
  rst: 0,
  retransmissions: 0,
  fastRetransmissions: 0,
  spuriousRetransmissions: 0,
  outOfOrder: 0,
  duplicateAcks: 0,
  zeroWindows: 0,
  keepAlives: 0,
  acks: 0,
};

/** The names of all its figures. */
export const tsharkFigures = Object.keys(nothing) as (keyof TsharkTcp)[];

/** The analysis of all packets of each host whose address begins with `10.`; for a trace in which such hosts talk to others only. */
export async function readTshark(file: string): Promise<Map<string, TsharkTcp>> {
  const { stdout } = await run(
    'tshark',
    ['-n', '-r', file, '-T', 'fields', ...fields.flatMap((field) => ['-e', field])],
    { maxBuffer: 1 << 30 },
  );
  const hosts = new Map<string, TsharkTcp>();
  const streams = new Set<string>();
  for (const line of stdout.split('\n').filter(Boolean)) {
    const [source, destination, stream, flags, retransmission, ackRtt, ...found] = line.split('\t');
    if (stream === '') continue;
    const host = source!.startsWith('10.') ? source! : destination!;
    const counts = hosts.get(host) ?? { ...nothing };
    hosts.set(host, counts);
    if (!streams.has(stream!)) counts.connections++;
    streams.add(stream!);
    counts.packets++;
    const has = (bit: number) => (Number(flags) & bit) !== 0;
    if (has(flagBits.syn)) counts[has(flagBits.ack) ? 'synAck' : 'syn']++;
    if (has(flagBits.fin)) counts.fin++;
    if (has(flagBits.rst)) counts.rst++;
    // tshark marks every fast and spurious one as a retransmission too.
    if (retransmission !== '') counts.retransmissions++;
    if (ackRtt !== '') counts.acks++;
    for (const [index, name] of findingNames.entries()) if (found[index] !== '') counts[name]++;
  }
  return hosts;
}

/** Ours, as far as tshark reports the same. */
export function pickTsharkTcp(tcp: TcpSummary): TsharkTcp {
  const {
    connections,
    packets,
    syn,
    synAck,
    fin,
    rst,
    retransmissions,
    fastRetransmissions,
    spuriousRetransmissions,
    outOfOrder,
    duplicateAcks,
    zeroWindows,
    keepAlives,
  } = tcp;
  const acks = (tcp.ackRtt?.count ?? 0) + tcp.ambiguousAcks;
  return {
    connections,
    packets,
    syn,
    synAck,
    fin,
    rst,
    retransmissions,
    fastRetransmissions,
    spuriousRetransmissions,
    outOfOrder,
    duplicateAcks,
    zeroWindows,
    keepAlives,
    acks,
  };
}

/** Every round trip of an acknowledgement, and that of the handshake, of a trace with one connection. */
export async function readRoundTrips(file: string): Promise<{ ackRttMs: number[]; initialRttMs: number }> {
  const { stdout } = await run('tshark', [
    '-n',
    '-r',
    file,
    '-T',
    'fields',
    '-e',
    'tcp.analysis.ack_rtt',
    '-e',
    'tcp.analysis.initial_rtt',
  ]);
  const rows = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));
  // Seconds with nine decimals: as nanoseconds they are whole numbers.
  const toMs = (seconds: string) => Math.round(Number(seconds) * 1e9) / 1e6;
  return {
    ackRttMs: rows.flatMap(([ackRtt]) => (ackRtt ? [toMs(ackRtt)] : [])),
    initialRttMs: toMs(rows.find(([, initialRtt]) => initialRtt)![1]!),
  };
}

/** How many packets of a trace fit a display filter. */
export async function countPackets(file: string, filter: string): Promise<number> {
  const { stdout } = await run('tshark', ['-n', '-r', file, '-Y', filter, '-T', 'fields', '-e', 'frame.number']);
  return stdout.split('\n').filter(Boolean).length;
}

/** Of all requests in HTTP, as they are in the trace. */
export async function readRequestUris(file: string): Promise<string[]> {
  const { stdout } = await run('tshark', [
    '-n',
    '-r',
    file,
    '-Y',
    'http.request',
    '-T',
    'fields',
    '-e',
    'http.request.uri',
  ]);
  // A packet with several has them all in its line.
  return stdout.split(/[\n,]/).filter(Boolean);
}
