import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TcpSummary } from '#core/packets/tcp/tcp-summary.ts';

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

export interface TsharkCounts {
  tcp: Map<string, TsharkTcp>;
  udp: { packets: number; flows: number };
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
  'udp.stream',
  'tcp.stream',
  'tcp.flags',
  'tcp.analysis.retransmission',
  'tcp.analysis.ack_rtt',
  ...findingNames.map((name) => `tcp.analysis.${analysis[name]}`),
];

export const nothingFound: TsharkTcp = {
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

/** How many characters of its messages are kept: the last ones. */
const mostSaid = 10_000;
/** What it says of a trace that ends too early, after it has read what is there. */
const cutShort = /appears to have been cut short/;

/** The names of all its figures. */
export const tsharkFigures = Object.keys(nothingFound) as (keyof TsharkTcp)[];

/** Its analysis of all packets, of TCP by groups that two addresses name. Of a packet in a packet, as in a tunnel, the outer one counts. Rejects when it fails; a trace that was cut short is read as far as it goes. */
export async function readTshark(
  file: string,
  {
    groupOf = () => '',
    timeoutMs,
  }: { groupOf?: (source: string, destination: string) => string; timeoutMs?: number } = {},
): Promise<TsharkCounts> {
  const words = ['-n', '-r', file, '-T', 'fields', '-E', 'occurrence=f', ...fields.flatMap((field) => ['-e', field])];
  const tshark = spawn('tshark', words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs ?? 0 });
  const ended = once(tshark, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => undefined); // it is awaited below
  let said = '';
  tshark.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-mostSaid)));
  const counter = new TsharkCounter(groupOf);
  for await (const line of createInterface(tshark.stdout)) counter.add(line);
  const [status, signal] = await ended;
  if (signal !== null) throw new Error(`tshark ended by ${signal}`);
  if (status !== 0 && !cutShort.test(said)) throw new Error(`tshark ended with status ${status}: ${said.trim()}`);
  return counter.counts;
}

class TsharkCounter {
  readonly counts: TsharkCounts = { tcp: new Map(), udp: { packets: 0, flows: 0 } };
  readonly #streams = { tcp: new Set<string>(), udp: new Set<string>() };
  readonly #groupOf: (source: string, destination: string) => string;

  constructor(groupOf: (source: string, destination: string) => string) {
    this.#groupOf = groupOf;
  }

  add(line: string): void {
    const [source, destination, udpStream, stream, ...found] = line.split('\t');
    if (udpStream) {
      this.counts.udp.packets++;
      this.#streams.udp.add(udpStream);
      this.counts.udp.flows = this.#streams.udp.size;
    }
    if (!stream) return;
    const group = this.#groupOf(source!, destination!);
    const counts = this.counts.tcp.get(group) ?? { ...nothingFound };
    this.counts.tcp.set(group, counts);
    if (!this.#streams.tcp.has(stream)) counts.connections++;
    this.#streams.tcp.add(stream);
    addSegment(counts, found);
  }
}

function addSegment(counts: TsharkTcp, [flags, retransmission, ackRtt, ...found]: string[]): void {
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

/** Ours, as far as tshark reports the same. */
export function pickTsharkTcp(tcp: TcpSummary): TsharkTcp {
  const acks = (tcp.ackRtt?.count ?? 0) + tcp.ambiguousAcks;
  const ours = { ...tcp, acks };
  return Object.fromEntries(tsharkFigures.map((name) => [name, ours[name]])) as unknown as TsharkTcp;
}
