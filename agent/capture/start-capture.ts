import { open } from 'node:fs/promises';
import { AppError } from '#core/app-error.ts';
import { OutputTail } from '../scripts/run-script.ts';
import {
  LiveCapture,
  openPcapSource,
  type PacketSource,
  type SourceOptions,
  type CaptureCounters,
} from './live-capture.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { drainCapture, type CaptureProgress } from './drain-capture.ts';

/**
 * tcpdump ends when standard input does: at the stop, and when the process that started it is gone, however that ended. On a quiet interface it
 * would not notice by itself. For each line of standard input it reports how far it is. The shell keeps none of its output, so that the trace ends with tcpdump.
 */
const supervise = '"$@" & exec >&-; while read -r _; do kill -USR1 $!; done; kill -TERM $! 2>/dev/null; wait $!';
/** `tcpdump: 514 packets captured, 1000 packets received by filter, 0 packets dropped by kernel` */
const progressPattern =
  /\b(\d{1,15}) packets? captured, (\d{1,15}) packets? received by filter, (\d{1,15}) packets? dropped by kernel/;

type Program = PacketSource['program'];

const openers = { pcap: openPcapSource, tcpdump: openTcpdumpSource } as const;

export interface CaptureOptions {
  interface: string;
  /** In pcap's language; `buildCaptureFilter` makes one for a User Agent. */
  filter: string;
  /** Where the trace is written. An earlier file is replaced. */
  file: string;
  /** Whose packets are sent and received, for the statistics by direction. */
  localAddresses: readonly string[];
  /** How much of each packet is kept; by default `defaultSnapBytes`. */
  snapBytes?: number;
  /** The capture ends by itself when the file is larger; by default 4 GiB. */
  maximumFileBytes?: number;
  /** What may capture, in order of preference. */
  programs?: readonly PacketSource['program'][];
}

/** Every header of a packet, and of a TLS hello what fits: mostly the server's version, rarely all that a browser offers. */
export const defaultSnapBytes = 512;
const defaultMaximumFileBytes = 4 * 1024 ** 3;
/** Between kernel and process: room for some 30,000 cut packets, which is a second at 300 Mb/s. */
const bufferBytes = 16 * 1024 * 1024;

/**
 * Captures into a file, in a process of its own, with the statistics kept up to date from the same bytes. Throws
 * `invalid-input` for a filter that is none, else `capture-unavailable` with the reason of each program that could have done it.
 */
export async function startCapture(options: CaptureOptions): Promise<LiveCapture> {
  const {
    filter,
    file,
    localAddresses,
    snapBytes = defaultSnapBytes,
    maximumFileBytes = defaultMaximumFileBytes,
  } = options;
  const source = await openSource(options.programs ?? ['pcap', 'tcpdump'], {
    interface: options.interface,
    filter,
    snapBytes,
    bufferBytes,
  });
  try {
    return new LiveCapture(source, await open(file, 'w'), { localAddresses, maximumFileBytes });
  } catch (cause) {
    source[Symbol.dispose]();
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'capture-unavailable',
      `The trace cannot be written to ${file}: name a folder with free space that this user may write to`,
      { cause },
    );
  }
}

/**
 * Opens the first of the programs that can capture so. Throws `invalid-input` where only the filter is in the way, else `capture-unavailable` with the
 * reason of each.
 */
async function openSource(programs: readonly Program[], options: SourceOptions): Promise<PacketSource> {
  const tried = await tryEach(programs, options);
  if ('source' in tried) return tried.source;
  const problems = tried.problems.join('; ');
  // libpcap compiles the filter when the interface is open, and not before.
  if (options.filter !== '' && (await canOpen(programs, { ...options, filter: '' }))) {
    throw new AppError(
      'invalid-input',
      `"${options.filter}" is not a filter that libpcap understands (${problems}): see pcap-filter(7)`,
    );
  }
  throw new AppError(
    'capture-unavailable',
    `Packets on ${options.interface} cannot be captured (${problems}): run the Agent as root, or install tcpdump and give it the right by "setcap cap_net_raw+ep"`,
  );
}

async function tryEach(
  programs: readonly Program[],
  options: SourceOptions,
): Promise<{ source: PacketSource } | { problems: string[] }> {
  const problems: string[] = [];
  for (const program of programs) {
    try {
      return { source: await openers[program](options) };
    } catch (error) {
      problems.push(`${program}: ${(error as Error).message}`);
    }
  }
  return { problems };
}

async function canOpen(programs: readonly Program[], options: SourceOptions): Promise<boolean> {
  const tried = await tryEach(programs, options);
  if (!('source' in tried)) return false;
  tried.source[Symbol.dispose]();
  return true;
}

/** Captures with tcpdump. Rejects, with its own words, when it is not there, or may not or cannot capture so. */
async function openTcpdumpSource(options: SourceOptions): Promise<PacketSource> {
  const command = [
    'tcpdump',
    '-i',
    options.interface,
    '-w',
    '-',
    '-U',
    '--immediate-mode',
    '-n',
    '-p',
    '-s',
    String(options.snapBytes),
    '-B',
    String(Math.ceil(options.bufferBytes / 1024)),
    ...(options.filter === '' ? [] : [options.filter]),
  ];
  // In a group of its own, which Ctrl-C in a terminal does not reach and which can be ended as a whole.
  const child = spawn('sh', ['-c', supervise, 'sh', ...command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const words = new OutputTail();
  const closed = once(child, 'close');
  // It listens from when it says so; before, it has ended.
  const listening = new Promise<boolean>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      words.add(chunk);
      if (words.text().includes('listening on ')) resolve(true);
    });
    child.stdout.once('end', () => resolve(false));
  });
  child.stdin.on('error', () => undefined); // it has ended already, which `closed` reports
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };

  const lines = createInterface(child.stderr);
  const look = async (): Promise<CaptureProgress> => {
    const progress = new Promise<CaptureProgress>((resolve) => {
      const read = (line: string) => {
        const found = readTcpdumpProgress(line);
        if (found === null) return;
        lines.off('line', read);
        resolve(found);
      };
      lines.on('line', read);
    });
    child.stdin.write('\n');
    return Promise.race([progress, closed.then(() => ({ taken: 0, kept: 0 }))]);
  };

  if (!(await listening)) {
    child.stdin.end();
    await closed;
    throw new Error(
      words
        .text()
        .trim()
        .split('\n')
        .at(-1)!
        .replace(/^(sh|tcpdump): /, ''),
    );
  }
  return {
    program: 'tcpdump',
    trace: child.stdout,
    async stop() {
      await drainCapture(look);
      child.stdin.end();
      await closed;
      return readTcpdumpCounters(words.text());
    },
    [Symbol.dispose]: end,
  };
}

/** How far tcpdump is, from a line that it says when it is asked. Null for any other line. */
export function readTcpdumpProgress(line: string): CaptureProgress | null {
  const [, taken, received, dropped] = progressPattern.exec(line) ?? [];
  return taken === undefined ? null : { taken: Number(taken), kept: Number(received) - Number(dropped) };
}

/** What tcpdump says at its end. It leaves out the interface's drops when there were none. Throws when it did not say it. */
export function readTcpdumpCounters(words: string): CaptureCounters {
  const readCount = (what: string) => {
    const match = new RegExp(`^(\\d+) packets? ${what}`, 'm').exec(words);
    return match === null ? null : Number(match[1]);
  };
  const receivedPackets = readCount('received by filter');
  const droppedByKernel = readCount('dropped by kernel');
  if (receivedPackets === null || droppedByKernel === null)
    throw new Error(`tcpdump ended without its counters: ${words.trim().split('\n').at(-1)!}`);
  return { receivedPackets, droppedByKernel, droppedByInterface: readCount('dropped by interface') ?? 0 };
}
