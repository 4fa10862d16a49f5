import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WholeCounts } from '#cli/capinfo/against/compare-captures.ts';
import { readCapinfos } from '#cli/capinfo/against/read-capinfos.ts';
import { nothingFound, readTshark, tsharkFigures, type TsharkTcp } from '#cli/capinfo/against/read-tshark.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { countPackets, readRequestUris, readRoundTrips, readTsharkByHost } from './tshark.ts';

type Traces = ReadonlyMap<string, Uint8Array>;

/** What is asked of traces, and in which words it is answered. */
const questions = {
  /** The figures of each trace, by its name. */
  async figures(files: string[]): Promise<Answer> {
    const rows = await readCapinfos(files);
    return Object.fromEntries([...rows].map(([file, row]) => [path.basename(file), row.join('\t')]));
  },
  /** Of each host, in the order of `tsharkFigures`. */
  async tcp([file]: string[]): Promise<Answer> {
    const hosts = await readTsharkByHost(file!);
    return Object.fromEntries([...hosts].map(([host, counts]) => [host, writeCounts(counts)]));
  },
  /** Of the whole trace. */
  async counts([file]: string[]): Promise<Answer> {
    const { tcp, udp } = await readTshark(file!);
    return { tcp: writeCounts(tcp.get('') ?? nothingFound), udp: `${udp.packets} ${udp.flows}` };
  },
  async roundTrips([file]: string[]): Promise<Answer> {
    const { ackRttMs, initialRttMs } = await readRoundTrips(file!);
    return { ackRttMs: ackRttMs.join(' '), initialRttMs: String(initialRttMs) };
  },
  async packets([file]: string[], filter: string): Promise<Answer> {
    return { count: String(await countPackets(file!, filter)) };
  },
  async requests([file]: string[]): Promise<Answer> {
    return { uris: (await readRequestUris(file!)).join(' ') };
  },
};

export type Question = keyof typeof questions;
export type Answer = Record<string, string>;
/** The filter is one of tshark, for `packets` alone. */
export type Ask = (question: Question, traces: Traces, filter: string) => Promise<Answer>;

/** Asks the programs themselves. */
export const askPrograms: Ask = async (question, traces, filter) => {
  await using folder = await makeTemporaryFolder();
  const files: string[] = [];
  for (const [name, trace] of traces) {
    files.push(path.join(folder.path, name));
    await writeFile(files.at(-1)!, trace);
  }
  return await questions[question](files, filter);
};

/** A question about just these bytes, so that an answer never passes for that of another trace. */
export function nameQuestion(question: Question, traces: Traces, filter: string): string {
  const hash = createHash('sha256').update(filter);
  for (const [name, trace] of traces) hash.update(`\n${name} ${trace.length}\n`).update(trace);
  return `${question} ${hash.digest('hex').slice(0, 16)}`;
}

/** What capinfos and tshark say of traces: now, or as they once did. */
export class Wireshark {
  readonly series: string;
  readonly #ask: Ask;

  constructor(series: string, ask: Ask) {
    this.series = series;
    this.#ask = ask;
  }

  async readFigures(traces: Traces): Promise<Map<string, string[]>> {
    const answer = await this.#ask('figures', traces, '');
    return new Map(Object.entries(answer).map(([name, row]) => [name, row.split('\t')]));
  }

  /** See `readTsharkByHost`. */
  async readTcp(trace: Uint8Array): Promise<Map<string, TsharkTcp>> {
    const answer = await this.#ask('tcp', asTraces(trace), '');
    return new Map(Object.entries(answer).map(([host, row]) => [host, readCounts(row)]));
  }

  async readCounts(trace: Uint8Array): Promise<WholeCounts> {
    const answer = await this.#ask('counts', asTraces(trace), '');
    const [packets, flows] = answer.udp!.split(' ').map(Number);
    return { tcp: readCounts(answer.tcp!), udp: { packets: packets!, flows: flows! } };
  }

  async readRoundTrips(trace: Uint8Array): Promise<{ ackRttMs: number[]; initialRttMs: number }> {
    const { ackRttMs, initialRttMs } = await this.#ask('roundTrips', asTraces(trace), '');
    return { ackRttMs: ackRttMs!.split(' ').map(Number), initialRttMs: Number(initialRttMs) };
  }

  /** How many packets fit a display filter. */
  async countPackets(trace: Uint8Array, filter: string): Promise<number> {
    return Number((await this.#ask('packets', asTraces(trace), filter)).count);
  }

  async readRequestUris(trace: Uint8Array): Promise<string[]> {
    return (await this.#ask('requests', asTraces(trace), '')).uris!.split(' ');
  }
}

const asTraces = (trace: Uint8Array): Traces => new Map([['trace', trace]]);
const writeCounts = (counts: TsharkTcp): string => tsharkFigures.map((name) => counts[name]).join(' ');

function readCounts(row: string): TsharkTcp {
  const counts = row.split(' ').map(Number);
  return Object.fromEntries(tsharkFigures.map((name, index) => [name, counts[index]])) as unknown as TsharkTcp;
}
